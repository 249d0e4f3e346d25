import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Project, ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';
import type { AccessEffect } from '#lib/protocol/policies/answers.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import type { MemberDraft } from '#lib/protocol/policies/requests.ts';
import { isTooHeavy, TOO_HEAVY } from '../../access/access-weight.ts';
import type { Ctx } from '../../access/context.ts';
import { readMember } from '../../memberships/read-member.ts';
import { policyRequired } from '../../memberships/require-policies.ts';
import { findRow, requireLive } from '../../store/find-row.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { requireValid } from '../../store/require-valid.ts';
import { toResource } from '../../store/row.ts';
import { policiesThen, presentIn } from '../as-of/members-then.ts';
import { closed, isBroken } from '../is-broken.ts';
import { requireTold } from '../require-told.ts';
import { toldPolicy } from '../told-policy.ts';
import { reckonEffect } from './reckon-effect.ts';

/**
 * What another access would do to a member: `accessPolicy` and `access` as they would be, and the role where it is given. Nothing is changed. For
 * administrators. Throws 400 naming the field, for policies that are not there as well; 404 and 410 as the member's own route.
 */
export async function memberEffect(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  { admin, accessPolicy, access }: MemberDraft,
): Promise<AccessEffect> {
  const actor = requireTold(ctx, projectId);
  const membership = toResource<Stored<ProjectMembership>>(await readMember(ctx, projectId, membershipId));
  const { accessPolicy: _, access: __, ...rest } = membership;
  const wanted = { ...rest, admin: admin ?? membership.admin, accessPolicy, access };
  const draft = JSON.parse(JSON.stringify(wanted)) as Stored<ProjectMembership>;
  requireValid(draft, 'ProjectMembership');
  await knowParams(projectId);
  const [found, project] = await Promise.all([
    policiesThen(projectId, { at: undefined, memberships: [membership, draft], known: new Map() }),
    findRow(projectId, 'Project', projectId),
  ]);
  const policies = presentIn(found);
  requirePolicies(draft, policies);
  if (isTooHeavy(draft, policies)) throw new AppError('invalid', TOO_HEAVY, { expression: 'ProjectMembership.access' });
  const settings = toResource<Project>(requireLive(project));
  const needsPolicy = requiresPolicy(settings);
  if (needsPolicy && namesPolicy(membership) && !namesPolicy(draft)) throw policyRequired();
  const source = { projectId, policies, superAdmin: settings.superAdmin === true, requiresPolicy: needsPolicy };
  const before = isBroken(membership, policies) ? closed(membership) : membership;
  const change = {
    membership,
    key: '',
    policies: async () => ({
      before: await toldPolicy({ ...source, membership: before }),
      after: await toldPolicy({ ...source, membership: draft }),
    }),
  };
  return reckonEffect(actor, projectId, [change], { isExact: true, broken: 0 });
}

function requirePolicies({ accessPolicy, access = [] }: ProjectMembership, known: ReadonlyMap<string, unknown>): void {
  const named = [
    ...(accessPolicy ? [['accessPolicy', accessPolicy.reference] as const] : []),
    ...access.map(({ policy }, index) => [`access[${index}].policy`, policy?.reference] as const),
  ];
  const issues = named.flatMap(([expression, reference = '']): Issue[] => {
    if (known.has(reference)) return [];
    return [
      { text: `Access policy ${reference.slice(0, 80)} does not exist or does not belong to this project`, expression },
    ];
  });
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}
