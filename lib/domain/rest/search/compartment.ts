import { AppError, notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { compartmentTypes, isCompartment } from '#lib/protocol/fhir/index/compartments.ts';
import { tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { seenInCompartment } from '../../access/seen-in-compartment.ts';
import { findRow, requireLive } from '../../store/find-row.ts';
import type { Row } from '../../store/row.ts';
import { requireWithin } from '../../store/within-reach.ts';
import { locate } from '../locate.ts';
import { ruleOf } from '../type-rules.ts';

/** Who owns a compartment (R4 CompartmentDefinition). */
export type Owner = { type: string; id: string };

/** The owner, as a read finds it: 403, 404 and 410 as there; 404, too, for a type that owns none. */
export async function requireOwner(ctx: Ctx, { type, id }: Owner): Promise<Row> {
  const actor = requireActor(ctx);
  if (!isCompartment(type)) throw new AppError('unknown-type', `${type.slice(0, 80)} has no compartment`);
  const { projectId, reach } = await locate(actor, type, id, 'read');
  if (!isFhirId(id)) throw notFound();
  const q = ctx.write?.tx;
  return requireLive(await requireWithin(await findRow(projectId, type, id, q), reach, q));
}

/** The types that can be in it and are searched like others. */
export function typesWithin({ type }: Owner): string[] {
  return compartmentTypes(type).filter((member) => !ruleOf(member).elsewhere && !ruleOf(member).closed?.search);
}

/** Of those that are in it, where the caller sees what puts them there. */
export function inCompartment(actor: Actor, { type: owner, id }: Owner, type: string, filter: Expr): Expr {
  return and([seenInCompartment(actor, type, { type: owner, ids: [id] }), filter]);
}

/** The tokens of which a resource of this type that is in the compartment has one. */
export function compartmentTokens(projectId: string, owner: Owner, type: string): bigint[] {
  const param = searchParam(type, '_compartment');
  return param ? tokensReferringTo(param, projectId, owner, fhirBase()) : [];
}
