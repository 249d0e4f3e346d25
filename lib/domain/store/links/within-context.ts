import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId, parseReference } from '#lib/protocol/fhir/references.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { findRow } from '../find-row.ts';
import { type Row, toResource } from '../row.ts';
import { isWithin, judgeable } from '../within-reach.ts';

/**
 * Whether the caller may read what the Binary belongs to (R4 Binary, securityContext), or belonged to when it was deleted: who may not is told what they
 * would be told of none.
 */
export async function isWithinContext(ctx: Ctx, row: Row): Promise<boolean> {
  const judged = await judgeable(row, ctx.write?.tx);
  if (judged.deleted) return true;
  const { securityContext } = toResource<{ securityContext?: Reference }>(judged);
  return securityContext === undefined || (await mayRead(ctx, securityContext));
}

/** Whether it names a resource of the project that the caller may read. */
export async function mayRead(ctx: Ctx, { reference = '' }: Reference): Promise<boolean> {
  const actor = requireActor(ctx);
  const parsed = parseReference(reference, fhirBase());
  // Not under another Binary, which may itself be under something.
  if (parsed?.kind !== 'local' || !isResourceType(parsed.type) || parsed.type === 'Binary') return false;
  const { type, id } = parsed;
  if (!isFhirId(id) || !mayReach(actor, type, 'read')) return false;
  const row = await findRow(actor.projectId, type, id, ctx.write?.tx);
  return row !== undefined && !row.deleted && (await isWithin(reach(actor, type, 'read'), row, ctx.write?.tx));
}
