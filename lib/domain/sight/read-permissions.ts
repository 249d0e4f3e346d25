import { AppError, notFound } from '#lib/base/errors.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { MemberPermissions, Permissions } from '#lib/protocol/policies/answers.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type Ctx, callerOf, requireAccount } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { readMember } from '../memberships/read-member.ts';
import { findEach } from '../store/find-row.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { toResource } from '../store/row.ts';
import { policiesThen } from './as-of/members-then.ts';
import { permissionsOf } from './permissions-of.ts';
import { requireTold } from './require-told.ts';

/** What a member may do, for an administrator, by which policies. Throws 403, 404 and, of a removed one, 410. */
export async function readPermissions(ctx: Ctx, projectId: string, membershipId: string): Promise<MemberPermissions> {
  requireTold(ctx, projectId);
  const membership = toResource<ProjectMembership>(await readMember(ctx, projectId, membershipId));
  const of = await sceneOf(projectId, membership);
  const names = await resolveNames(projectId, [membership.profile?.reference, ...of.policies.keys()]);
  return {
    membership: `ProjectMembership/${membershipId}`,
    profile: named(names, membership.profile?.reference) ?? { reference: null, display: null },
    admin: membership.admin === true || of.superAdmin,
    ...(await permissionsOf(of, { projectId, names })),
  };
}

/** What one may do oneself in the project of the session, in words; by which policy is not told. Not for a token that is for records only. */
export async function readOwnPermissions(ctx: Ctx): Promise<Permissions> {
  const { projectId, membershipId } = callerOf(requireAccount(ctx));
  const [row] = await findEach(projectId, [['ProjectMembership', membershipId]]);
  if (!row) throw new AppError('unauthorized', 'This membership is not active');
  const of = await sceneOf(projectId, toResource<ProjectMembership>(row));
  return permissionsOf(of, { projectId, own: 'your own' });
}

async function sceneOf(projectId: string, membership: ProjectMembership) {
  const [[project], policies] = await Promise.all([
    findEach(projectId, [['Project', projectId]]),
    policiesThen(projectId, { at: undefined, memberships: [membership], known: new Map() }),
    knowParams(projectId),
  ]);
  if (!project) throw notFound();
  const settings = toResource<Project>(project);
  return {
    membership,
    policies,
    superAdmin: settings.superAdmin === true,
    requiresPolicy: requiresPolicy(settings),
  };
}
