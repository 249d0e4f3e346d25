import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { RefusalRow } from '#lib/infra/db/schema/access-refusal.ts';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { Decision } from '#lib/protocol/explain/explanation.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import type { Ctx } from '../access/context.ts';
import type { Interaction } from '../access/rule.ts';
import { seesAll } from '../access/sees-all.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { findRefusal } from '../refusals/refusal-rows.ts';
import { policiesThen } from '../sight/as-of/members-then.ts';
import { versionsAsOf } from '../sight/as-of/versions-as-of.ts';
import { isBroken } from '../sight/is-broken.ts';
import { toldPolicy } from '../sight/told-policy.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { toResource } from '../store/row.ts';
import type { Subject } from './load-subject.ts';
import { requireSight } from './require-sight.ts';
import { type Spoken, tellRules } from './tell-rules.ts';

const MOST_RULES = 50;

/** What a policy refused, and the rules as they were then. For administrators; which record it was, for those who see all. Throws 404. */
export async function readDecision(ctx: Ctx, projectId: string, id: string): Promise<Decision> {
  const asker = requireSight(ctx, projectId, {});
  const row = isUuid(id) ? await findRefusal(projectId, id) : undefined;
  if (!row) throw notFound();
  const [then, names] = await Promise.all([
    findRules(row, asker.superAdmin && asker.projectId === projectId),
    resolveNames(projectId, [row.profile, row.caller]),
  ]);
  const spoken = then?.spoken;
  const party = (reference: string): Party => named(names, reference) ?? { reference: null, display: null };
  return {
    ...{ id: row.id, at: row.at.toISOString(), membership: `ProjectMembership/${row.membershipId}` },
    ...{ member: party(row.profile), caller: row.caller ? party(row.caller) : null },
    client: isUuid(row.clientId ?? undefined) ? `ClientApplication/${row.clientId}` : null,
    ...{ scope: row.scope, requestId: row.requestId, interaction: row.interaction, resourceType: row.type },
    resourceId: seesAll(asker) ? row.resourceId : null,
    ...{ text: row.text, because: becauseOf(row, then) },
    rules: spoken?.slice(0, MOST_RULES).map(({ told }) => told) ?? null,
    more: Math.max(0, (spoken?.length ?? 0) - MOST_RULES),
  };
}

/** Those that spoke of the type then; `isBare`: there was no policy, where the project required one. */
type Then = { spoken: Spoken[]; isBare: boolean };

async function findRules(row: RefusalRow, superAdmin: boolean): Promise<Then | undefined> {
  const { projectId, membershipId, at, type } = row;
  await knowParams(projectId);
  const [found] = await versionsAsOf(projectId, 'ProjectMembership', [membershipId], at);
  if (found?.state !== 'present' || !found.row) return undefined;
  const membership = toResource<ProjectMembership>(found.row);
  const policies = await findPolicies(projectId, membership, at);
  if (!policies) return undefined;
  if (isBroken(membership, policies)) return undefined;
  const [project] = await versionsAsOf(projectId, 'Project', [projectId], at);
  const needsPolicy = project?.row != null && requiresPolicy(toResource<Project>(project.row));
  const source = { projectId, membership, policies, superAdmin, requiresPolicy: needsPolicy, at: at.getTime() };
  const told = await toldPolicy(source);
  const spoken = tellRules({ membership, policies }, told, { type, interaction: row.interaction as Interaction }, []);
  return { spoken, isBare: needsPolicy && !namesPolicy(membership) };
}

async function findPolicies(
  projectId: string,
  membership: ProjectMembership,
  at: Date,
): Promise<Subject['policies'] | undefined> {
  const found = await policiesThen(projectId, { at, memberships: [membership], known: new Map() });
  if ([...found.values()].some(({ state }) => state !== 'present')) return undefined;
  return new Map([...found].map(([name, { policy }]) => [name, policy!]));
}

function becauseOf({ interaction, type, scope }: RefusalRow, then: Then | undefined): string {
  if (!then) return 'The membership and its policies are not kept any more as they were then';
  if (then.isBare) return 'The project required a policy, and the membership had none';
  const ways = then.spoken.filter(({ told }) => told.covers).map(({ told }) => told);
  if (ways.length === 0) return `No rule of theirs was for ${interaction} of ${type}`;
  const where = ways.map(({ policy, index }) =>
    policy ? `rule ${(index ?? 0) + 1} of ${policy.display ?? policy.reference}` : 'what comes with the membership',
  );
  const listed = where.slice(0, 10).join(', ');
  const scoped = scope ? ', or the scope of their token left nothing of them' : '';
  return `These were for ${interaction} of ${type}, and none held of this request${scoped}: ${listed}`;
}
