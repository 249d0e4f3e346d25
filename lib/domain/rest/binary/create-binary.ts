import { newId } from '#lib/base/ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { placed } from '../../access/accounts.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import { refused } from '../../access/refused.ts';
import { write } from '../../audit/write.ts';
import { hold } from '../../bytes/held.ts';
import { letGo, takeBytes } from '../../bytes/take-bytes.ts';
import { isResourceWithin } from '../../store/within-reach.ts';
import type { CreateConditions } from '../create-resource.ts';
import { findMatch } from '../search/find-match.ts';
import { shown } from '../shown.ts';
import type { Written } from '../written.ts';
import { requireOwnContext } from './context.ts';
import { storeBinary } from './store-binary.ts';

export type RawBinary = {
  contentType: string;
  /** `Type/id` of the resource whose readers may read the bytes (R4 Binary, X-Security-Context). */
  securityContext: Reference | undefined;
  /** What came in memory, or comes. */
  bytes: Buffer | AsyncIterable<Uint8Array>;
};

/** A Binary from raw bytes, unless there is the one that is not to be made again. Nothing of them is read before it is known that there may be such a one, and nothing is left where it fails. */
export async function createBinary(
  ctx: Ctx,
  { contentType, securityContext, bytes }: RawBinary,
  { ifNoneExist }: CreateConditions = {},
): Promise<Written> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const within = reach(actor, 'Binary', 'create');
  const resource = placed(actor, [], { resourceType: 'Binary', contentType, securityContext });
  if (!(await isResourceWithin(within, projectId, { ...resource, id: newId() }, ctx.write?.tx))) {
    throw refused('Binary', 'create', 'Your access policy does not let you create this Binary');
  }
  await requireOwnContext(ctx, securityContext);
  const held = Buffer.isBuffer(bytes) ? hold(bytes) : await takeBytes(projectId, bytes);
  const store = async (inner: Ctx) => {
    return { row: await storeBinary(inner, projectId, resource, held), created: true, changed: true };
  };
  try {
    if (ifNoneExist === undefined) return await store(ctx);
    const written = await write<Written>(ctx, async (w, inner) => {
      const row = await findMatch(inner, 'Binary', ifNoneExist);
      if (!row) return store(inner);
      w.unchanged();
      return { row: await shown(actor, row, w.tx), created: false, changed: false };
    });
    if (!written.created) await letGo(projectId, held);
    return written;
  } catch (error) {
    await letGo(projectId, held);
    throw error;
  }
}
