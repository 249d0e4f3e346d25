import { AppError, type Issue, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { faultOfCriteria } from '#lib/protocol/fhir/identity/rules.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Project, ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';
import type { AccessEffect } from '#lib/protocol/policies/answers.ts';
import { requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { requireBearable } from '../../access/access-weight.ts';
import type { Ctx } from '../../access/context.ts';
import { ALL } from '../../access/rule.ts';
import { requireBases } from '../../rest/rules/policy-bases.ts';
import { findRow, requireLive } from '../../store/find-row.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { findDependents } from '../../store/policies/find-dependents.ts';
import { requireValid } from '../../store/require-valid.ts';
import { toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import { policiesThen, presentIn } from '../as-of/members-then.ts';
import { closed, isBroken } from '../is-broken.ts';
import { sameRules } from '../judge-readers.ts';
import { requireTold } from '../require-told.ts';
import { toldPolicy } from '../told-policy.ts';
import { type Case, reckonEffect } from './reckon-effect.ts';

/** Members that are looked at; of more, these. */
const MOST_MEMBERS = 1000;

/**
 * What saving this draft of a policy would do to those who have it, or one that is based on it. Nothing is changed. For administrators. Throws 400 for a draft that would be
 * refused, naming the field; 404 and 410 where there is no such policy.
 */
export async function policyEffect(
  ctx: Ctx,
  projectId: string,
  policyId: string,
  body: unknown,
): Promise<AccessEffect> {
  const actor = requireTold(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const stored = requireLive(await findRow(projectId, 'AccessPolicy', policyId));
  await knowParams(projectId);
  const draft = readDraft(projectId, policyId, body);
  const reference = `AccessPolicy/${policyId}`;
  const bases = await requireBases(draft, { projectId, own: reference });
  const { steps, isAll } = await findDependents(projectId, reference);
  const query = parseSearch(
    'ProjectMembership',
    [['access-policy', [reference, ...steps.keys()].join(',')]],
    projectId,
  );
  const [{ rows }, project] = await Promise.all([
    searchRows(projectId, { ...query, count: MOST_MEMBERS + 1 }, ALL),
    findRow(projectId, 'Project', projectId),
  ]);
  const memberships = rows.slice(0, MOST_MEMBERS).map((row) => toResource<Stored<ProjectMembership>>(row));
  const found = await policiesThen(projectId, { at: undefined, memberships, known: new Map() });
  const settings = toResource<Project>(requireLive(project));
  const source = {
    projectId,
    superAdmin: settings.superAdmin === true,
    requiresPolicy: requiresPolicy(settings),
  };
  const before = new Map([...bases, ...presentIn(found)]);
  before.set(reference, toResource<AccessPolicy>(stored));
  const after = new Map([...before, [reference, draft] as const]);
  const drafted = new Map([...after].map(([name, policy]) => [name, { policy }] as const));
  const known = new Map([...before].map(([name, policy]) => [name, { policy }] as const));
  const turn = takeTurns();
  const cases: Case[] = [];
  for (const membership of memberships) {
    await turn();
    if (isBroken(membership, after)) continue;
    const was = isBroken(membership, before) ? closed(membership) : membership;
    cases.push({
      membership,
      key: `${sameRules(was, known)} ${sameRules(membership, drafted)}`,
      policies: async () => ({
        before: await toldPolicy({ ...source, membership: was, policies: before }),
        after: await toldPolicy({ ...source, membership, policies: after }),
      }),
    });
  }
  const broken = memberships.length - cases.length;
  return reckonEffect(actor, projectId, cases, { isExact: isAll && rows.length <= MOST_MEMBERS, broken });
}

/** As it would be stored: what is refused when it is saved is refused here, but for expressions, which say nothing of who may read. */
function readDraft(projectId: string, policyId: string, body: unknown): AccessPolicy {
  requireValid(body, 'AccessPolicy');
  const draft = body as AccessPolicy & { id?: string };
  if (draft.id !== undefined && draft.id !== policyId) {
    throw new AppError('invalid', 'id must be that of the policy in the path', { expression: 'AccessPolicy.id' });
  }
  const issues = (draft.resource ?? []).flatMap(({ criteria, resourceType }, index): Issue[] => {
    if (criteria === undefined) return [];
    const expression = `AccessPolicy.resource[${index}].criteria`;
    if (resourceType === '*') return [{ text: 'criteria need a rule of one type', expression }];
    const text = faultOfCriteria(criteria, resourceType, projectId);
    return text ? [{ text, code: 'invariant', expression }] : [];
  });
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
  requireBearable(draft);
  return { ...draft, id: policyId } as AccessPolicy;
}
