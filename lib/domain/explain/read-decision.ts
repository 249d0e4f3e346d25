import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { RefusalRow } from '#lib/infra/db/schema/access-refusal.ts';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { Decision } from '#lib/protocol/explain/explanation.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import type { Interaction } from '../access/rule.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { findRefusal } from '../refusals/refusal-rows.ts';
import { policiesThen } from '../sight/as-of/members-then.ts';
import { versionsAsOf } from '../sight/as-of/versions-as-of.ts';
import { isBroken } from '../sight/is-broken.ts';
import { toldPolicy } from '../sight/told-policy.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { toResource } from '../store/row.ts';
import type { Subject } from './load-subject.ts';
import { requireSight, seesAll } from './require-sight.ts';
import { type Spoken, tellRules } from './tell-rules.ts';

const MOST_RULES = 50;

/** What a policy refused, and the rules as they were then. For administrators; which record it was, for those who see all. Throws 404. */
export async function readDecision(ctx: Ctx, projectId: string, id: string): Promise<Decision> {
  const asker = requireSight(ctx, projectId, {});
  const row = isUuid(id) ? await findRefusal(projectId, id) : undefined;
  if (!row) throw notFound();
  const [spoken, names] = await Promise.all([
    findRules(row, asker.superAdmin && asker.projectId === projectId),
    resolveNames(projectId, [row.profile, row.caller]),
  ]);
  const party = (reference: string): Party => named(names, reference) ?? { reference: null, display: null };
  return {
    ...{ id: row.id, at: row.at.toISOString(), membership: `ProjectMembership/${row.membershipId}` },
    ...{ member: party(row.profile), caller: row.caller ? party(row.caller) : null },
    client: isUuid(row.clientId ?? undefined) ? `ClientApplication/${row.clientId}` : null,
    ...{ scope: row.scope, requestId: row.requestId, interaction: row.interaction, resourceType: row.type },
    resourceId: seesAll(asker) ? row.resourceId : null,
    ...{ text: row.text, because: becauseOf(row, spoken) },
    rules: spoken?.slice(0, MOST_RULES).map(({ told }) => told) ?? null,
    more: Math.max(0, (spoken?.length ?? 0) - MOST_RULES),
  };
}

/** Those that spoke of the type then. */
async function findRules(row: RefusalRow, superAdmin: boolean): Promise<Spoken[] | undefined> {
  const { projectId, membershipId, at, type } = row;
  await knowParams(projectId);
  const [found] = await versionsAsOf(projectId, 'ProjectMembership', [membershipId], at);
  if (found?.state !== 'present' || !found.row) return undefined;
  const membership = toResource<ProjectMembership>(found.row);
  const policies = await findPolicies(projectId, membership, at);
  if (!policies) return undefined;
  if (isBroken(membership, policies)) return undefined;
  const told = await toldPolicy({ projectId, membership, policies, superAdmin, at: at.getTime() });
  return tellRules({ membership, policies }, told, { type, interaction: row.interaction as Interaction }, []);
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

function becauseOf({ interaction, type, scope }: RefusalRow, spoken: Spoken[] | undefined): string {
  if (!spoken) return 'The membership and its policies are not kept any more as they were then';
  const ways = spoken.filter(({ told }) => told.covers).map(({ told }) => told);
  if (ways.length === 0) return `No rule of theirs was for ${interaction} of ${type}`;
  const where = ways.map(({ policy, index }) =>
    policy ? `rule ${(index ?? 0) + 1} of ${policy.display ?? policy.reference}` : 'what comes with the membership',
  );
  const listed = where.slice(0, 10).join(', ');
  const scoped = scope ? ', or the scope of their token left nothing of them' : '';
  return `These were for ${interaction} of ${type}, and none held of this request${scoped}: ${listed}`;
}
