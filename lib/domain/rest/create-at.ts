import { AppError } from '#lib/base/errors.ts';
import { Overtaken, uniqueViolation } from '#lib/infra/db/errors.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { mayReach } from '../access/policy.ts';
import { findRow } from '../store/find-row.ts';
import { make } from './create-resource.ts';
import { refuseClosed } from './locate.ts';
import type { Preconditions } from './preconditions.ts';
import { ruleOf } from './type-rules.ts';
import type { Written } from './written.ts';

/** Never of what is more than its resource: accounts, programs and bytes have their ids elsewhere too. */
export function mayChooseId(actor: Actor, type: string): boolean {
  const { elsewhere, create } = ruleOf(type);
  return actor.updateCreate && !isIdentityType(type) && !elsewhere && !create;
}

/**
 * Update as create (R4 http §3.1.0.4.1): a new resource under an id of the caller's, who must be allowed to create it. Undefined where the id is
 * taken, by a deleted one too, and where the project wants none of it. Ids are of one type in one project: those of others are no obstacle.
 * Throws 412 for If-Match, since there is no version.
 */
export async function createAt(
  ctx: Ctx,
  resource: Resource,
  id: string,
  { ifMatch }: Preconditions,
): Promise<Written | undefined> {
  const actor = requireActor(ctx);
  const type = resource.resourceType;
  // Who may create none learns what they would without the setting: there is no such one.
  if (!mayChooseId(actor, type) || !isFhirId(id) || !mayReach(actor, type, 'create')) return undefined;
  const tx = ctx.write?.tx;
  if (await findRow(actor.projectId, type, id, tx)) return undefined;
  refuseClosed(actor, type, 'create');
  refuseVersion({ ifMatch });
  try {
    return { ...(await make(ctx, resource, id)), created: true, changed: true };
  } catch (error) {
    if (!isTakenMeanwhile(error)) throw error;
    // Then it is an update; inside a larger transaction, of which nothing is left, from its beginning.
    if (tx) throw new Overtaken();
    return undefined;
  }
}

/** Whether a write has failed since somebody else made what has this id. */
export function isTakenMeanwhile(error: unknown): boolean {
  return uniqueViolation(error)?.startsWith('resource') ?? false;
}

/** Throws 412 where a version is asked for of what is not there. */
export function refuseVersion({ ifMatch }: Preconditions): void {
  if (ifMatch) throw new AppError('precondition-failed', 'If-Match does not fit: there is no version yet');
}

/** Throws 409: nothing matches the condition, and the id that the body says is that of another, which the condition did not mean. */
export function refuseTaken(type: string, id: string): never {
  throw new AppError('duplicate', `${type}/${id} is there, and the condition does not match it`, {
    expression: `${type}.id`,
  });
}
