import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId, parseReference } from '#lib/protocol/fhir/references.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { mayReach, reach } from '../../access/policy.ts';
import { findRow } from '../../store/find-row.ts';
import { type Row, toResource } from '../../store/row.ts';
import { isWithin, judgeable } from '../../store/within-reach.ts';

const FIELD = 'Binary.securityContext';

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

/** X-Security-Context, as an element. */
export function toContext(header: string | null): Reference | undefined {
  return header === null ? undefined : { reference: header.trim() };
}

/**
 * Nobody puts bytes under what they cannot read themselves, and learns nothing by trying: 400 for what is not there, too. What the same transaction makes is
 * there when it is done.
 */
export async function requireOwnContext(ctx: Ctx, context: Reference | undefined): Promise<void> {
  if (context === undefined) return;
  const parsed = parseReference(context.reference ?? '', fhirBase());
  if (parsed?.kind !== 'local')
    throw new AppError('invalid', 'The security context must be Type/id', { expression: FIELD });
  if (ctx.making?.has(`${parsed.type}/${parsed.id}`) || (await mayRead(ctx, context))) return;
  throw new AppError('invalid', 'The security context must be a resource that you may read', { expression: FIELD });
}

async function mayRead(ctx: Ctx, { reference = '' }: Reference): Promise<boolean> {
  const actor = requireActor(ctx);
  const parsed = parseReference(reference, fhirBase());
  // Not under another Binary, which may itself be under something.
  if (parsed?.kind !== 'local' || !isResourceType(parsed.type) || parsed.type === 'Binary') return false;
  const { type, id } = parsed;
  if (!isFhirId(id) || !mayReach(actor, type, 'read')) return false;
  const row = await findRow(actor.projectId, type, id, ctx.write?.tx);
  return row !== undefined && !row.deleted && (await isWithin(reach(actor, type, 'read'), row, ctx.write?.tx));
}
