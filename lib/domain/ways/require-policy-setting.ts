import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { ProjectMembership, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { isUnlimited } from '../access/policy.ts';
import { refuse } from '../access/refuse.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

type Settings = readonly ProjectSetting[];
type Change = { actor: Actor; projectId: string; before: Settings; after: Settings };

/**
 * Whether every membership needs a policy is said by an administrator whom none limits, since without the requirement who has none reaches everything; and
 * who says it has one, or could not take it back. Throws 403, 409, and 400 for the project of the super-admins, whose members stand above projects.
 */
export async function requirePolicySetting(tx: Queryable, { actor, projectId, before, after }: Change): Promise<void> {
  const isOn = requiresPolicy({ setting: [...after] });
  if (isOn === requiresPolicy({ setting: [...before] })) return;
  if ([actor, callerOf(actor)].some((one) => !isFree(one)))
    throw new AppError('forbidden', 'A policy limits you: another administrator decides whether each member needs one');
  if (!isOn || actor.projectId !== projectId) return;
  if (actor.superAdmin) throw new AppError('invalid', 'The project of the super-admins requires no policy');
  const [row] = await findEach(projectId, [['ProjectMembership', callerOf(actor).membershipId]], tx);
  if (row && !namesPolicy(toResource<ProjectMembership>(row)))
    throw refuse(
      'locked-out',
      'You have no policy yourself: give yourself one that opens every record, then require it',
    );
}

function isFree({ superAdmin, admin, policy }: Actor): boolean {
  return (superAdmin && admin) || (isUnlimited(policy) && !policy.places);
}
