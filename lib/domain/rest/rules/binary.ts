import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import { isSameJson } from '#lib/protocol/json/json.ts';
import type { Ctx, Write } from '../../access/context.ts';
import { dropBytes } from '../../bytes/drop-bytes.ts';
import { findHash } from '../../bytes/find-bytes.ts';
import { hold } from '../../bytes/held.ts';
import { keepBytes } from '../../bytes/keep-bytes.ts';
import { isWithinContext } from '../../store/links/within-context.ts';
import type { Row } from '../../store/row.ts';
import { bytesOf, withBytes } from '../binary/bytes-of.ts';
import { requireOwnContext } from '../binary/context.ts';
import { storeBinary } from '../binary/store-binary.ts';
import type { Made, ResourceChange, TypeRule } from '../type-rule.ts';

/** The bytes stand beside the resource, which says what they are: of each version its own. They go when it is deleted. */
export const binaryRule: TypeRule = {
  isSeen: isWithinContext,
  create,
  prepare,
  beside: { brings, keep },
  beforeDelete: (w, { projectId, id }) => dropBytes(w, projectId, [id]),
};

type Binary = Resource & { securityContext?: Reference; data?: string };

async function create(ctx: Ctx, projectId: string, resource: Resource): Promise<Made> {
  const { data: _, ...described } = resource as Binary;
  await requireOwnContext(ctx, described.securityContext);
  return { row: await storeBinary(ctx, projectId, described, bytesOf(resource) ?? holdNothing()) };
}

/** Who changes it without bytes keeps those that it has. */
async function prepare({ ctx, before, after }: ResourceChange): Promise<Resource> {
  const { data: _, ...described } = after as Binary & { id: string };
  const { securityContext } = (before ?? {}) as Partial<Binary>;
  if (!isSameJson(securityContext, described.securityContext)) await requireOwnContext(ctx, described.securityContext);
  const held = bytesOf(after) ?? (before ? undefined : holdNothing());
  const stored = { ...described, url: `Binary/${after.id}` };
  return held ? withBytes(stored, held) : stored;
}

async function brings({ tx }: Write, { projectId, id, deleted }: Row, stored: Resource): Promise<boolean> {
  const held = bytesOf(stored);
  return held !== undefined && (deleted || held.sha256 !== (await findHash(tx, projectId, id)));
}

async function keep(w: Write, row: Row, stored: Resource, before: Row): Promise<void> {
  const { projectId, id, version } = row;
  // The release before knows not of all that a deleted one had.
  if (before.deleted) await dropBytes(w, projectId, [id]);
  await keepBytes(w.tx, { projectId, id, since: version }, bytesOf(stored)!);
}

function holdNothing() {
  return hold(Buffer.alloc(0));
}
