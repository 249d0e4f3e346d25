import { AppError } from '#lib/base/errors.ts';
import { compartmentTypes } from '#lib/protocol/fhir/index/compartments.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../../access/context.ts';
import { compartmentTokens, inCompartment, type Owner, requireOwner } from './compartment.ts';
import { type Shape, searchResources } from './search-resources.ts';
import { type Params, searchTypes } from './search-types.ts';

/** `Patient/1/Observation?…`, and `Patient/1/*?…` for all types (R4 http §3.1.0.9.1). A searchset Bundle as JSON text. */
export async function searchCompartment(
  ctx: Ctx,
  owner: Owner,
  member: string,
  params: Params,
  shape: Shape,
): Promise<string> {
  const actor = requireActor(ctx);
  const { projectId } = actor;
  await requireOwner(ctx, owner);
  if (member === '*') return searchTypes(ctx, params, shape, owner);
  typeId(member);
  if (!compartmentTypes(owner.type).includes(member)) {
    throw new AppError('unknown-type', `No ${member} is in the compartment of a ${owner.type}`);
  }
  const anyOf = compartmentTokens(projectId, owner, member);
  const filter = inCompartment(actor, owner, member, { op: 'token', anyOf, selective: true });
  const path = `${owner.type}/${owner.id}/${member}`;
  return searchResources(ctx, member, params, shape, { path, filter });
}
