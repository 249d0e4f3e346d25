import { newId } from '#lib/base/ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { placed } from '../../access/accounts.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import { refused } from '../../access/refused.ts';
import { hold } from '../../bytes/held.ts';
import { letGo, takeBytes } from '../../bytes/take-bytes.ts';
import type { Row } from '../../store/row.ts';
import { isResourceWithin } from '../../store/within-reach.ts';
import { requireOwnContext } from './context.ts';
import { storeBinary } from './store-binary.ts';

export type RawBinary = {
  contentType: string;
  /** `Type/id` of the resource whose readers may read the bytes (R4 Binary, X-Security-Context). */
  securityContext: Reference | undefined;
  /** What came in memory, or comes. */
  bytes: Buffer | AsyncIterable<Uint8Array>;
};

/** A Binary from raw bytes. Nothing of them is read before it is known that there may be such a one, and nothing is left where it fails. */
export async function createBinary(ctx: Ctx, { contentType, securityContext, bytes }: RawBinary): Promise<Row> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  const within = reach(actor, 'Binary', 'create');
  const resource = placed(actor, [], { resourceType: 'Binary', contentType, securityContext });
  if (!(await isResourceWithin(within, projectId, { ...resource, id: newId() }, ctx.write?.tx))) {
    throw refused('Binary', 'create', 'Your access policy does not let you create this Binary');
  }
  await requireOwnContext(ctx, securityContext);
  const held = Buffer.isBuffer(bytes) ? hold(bytes) : await takeBytes(projectId, bytes);
  try {
    return await storeBinary(ctx, projectId, resource, held);
  } catch (error) {
    await letGo(projectId, held);
    throw error;
  }
}
