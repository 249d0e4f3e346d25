import { and, eq } from 'drizzle-orm';
import { AppError, type Issue } from '#lib/base/errors.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { askNow } from '#lib/infra/fhirpath/ask.ts';
import { readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import { faultOfCriteria } from '#lib/protocol/fhir/identity/rules.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Project, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { requireBearable } from '../../access/access-weight.ts';
import { policiesTag } from '../../access/cache-tags.ts';
import { callerOf, type Write } from '../../access/context.ts';
import { defaultPoliciesIn } from '../../access/default-policies-in.ts';
import { basesOf } from '../../access/lineage.ts';
import { policiesOf } from '../../access/policies-of.ts';
import { isUnlimited } from '../../access/policy.ts';
import { groupsGiving } from '../../groups/group-rows.ts';
import { domainsGiving } from '../../mail-domains/domain-rows.ts';
import { findEach, findRow } from '../../store/find-row.ts';
import { knowParams } from '../../store/own-params/know-params.ts';
import { findDependents } from '../../store/policies/find-dependents.ts';
import { findLineages } from '../../store/policies/find-policies.ts';
import { type Row, toResource } from '../../store/row.ts';
import { searchRows } from '../../store/search-rows.ts';
import type { ResourceChange, TypeRule } from '../type-rule.ts';
import { requireBases } from './policy-bases.ts';
import { requirePolicyTests } from './policy-tests.ts';

/** Who names a policy depends on it: a policy that is in use is not deleted, and a change reaches every session at once. */
export const accessPolicyRule: TypeRule = {
  prepare,
  changed: (w, row) => w.invalidate(policiesTag(row.projectId)),
  beforeDelete: requireUnused,
};

async function prepare(change: ResourceChange): Promise<Resource> {
  await knowParams(change.projectId, change.ctx.write.tx);
  const policy = change.after as unknown as AccessPolicy;
  await requireJudgeable(policy, change.projectId);
  const { projectId, after } = change;
  await requireBases(policy, { projectId, own: `AccessPolicy/${after.id}`, q: change.ctx.write.tx, stays: true });
  await requireOthersPolicy(change);
  await requirePolicyTests(change);
  return change.after;
}

/** Of a valid one: throws 400 for what the engine would not understand. The project's parameters are known. */
export async function requireJudgeable(policy: AccessPolicy, projectId: string): Promise<void> {
  requireBearable(policy);
  requireCriteria(policy, projectId);
  await requireExpressions(policy, projectId);
}

/** The validator has judged every other criteria, but for the project's own parameters: what grants nothing is refused when it is written. */
function requireCriteria({ resource = [] }: AccessPolicy, projectId: string): void {
  const issues = resource.flatMap(({ criteria, resourceType }, index): Issue[] => {
    if (criteria === undefined) return [];
    const expression = `AccessPolicy.resource[${index}].criteria`;
    if (resourceType === '*') return [{ text: 'criteria need a rule of one type', expression }];
    const text = faultOfCriteria(criteria, resourceType, projectId);
    return text ? [{ text, code: 'invariant', expression }] : [];
  });
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

/** Each must be a question of a change, with an answer: asked of one of nothing. Throws 400 for what is no FHIRPath, 422 for what takes too long. */
async function requireExpressions({ resource = [] }: AccessPolicy, projectId: string): Promise<void> {
  for (const [at, { resourceType, writeConstraint = [] }] of resource.entries()) {
    const type = resourceType === '*' ? 'Basic' : resourceType;
    const text = JSON.stringify({ after: { resourceType: type } });
    const questions = writeConstraint.map(({ expression = '' }) => {
      return {
        at: ['after'],
        path: type,
        expression,
        wants: 'decision' as const,
        variables: ['before', 'after', ...named(expression)],
      };
    });
    const answers = questions.length > 0 ? await askNow(projectId, text, questions) : [];
    const index = answers.findIndex((answer) => answer === 'failed' || answer === 'unknown');
    if (index < 0) continue;
    const path = `AccessPolicy.resource[${at}].writeConstraint[${index}]`;
    const why = answers[index] === 'failed' ? 'is no FHIRPath that is true or false' : 'takes too long to evaluate';
    throw new AppError('invalid', `writeConstraint ${why}`, {
      issues: [{ text: `writeConstraint ${why}`, code: 'invariant', expression: path }],
    });
  }
}

/** Which parameters there are, each membership says. */
function named(expression: string): string[] {
  return [...expression.matchAll(/%([A-Za-z_]\w*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !OF_FHIRPATH.has(name));
}

const OF_FHIRPATH = new Set(['resource', 'rootResource', 'context', 'ucum', 'sct', 'loinc', 'before', 'after']);

/**
 * An administrator whom a policy limits cannot lift that limit, in nobody's name: another administrator can. Nor do they say what emergency access gives.
 */
async function requireOthersPolicy({ ctx, actor, after }: ResourceChange): Promise<void> {
  const { policy, projectId, user, superAdmin, admin } = callerOf(actor);
  // Of a super-admin it takes more than all records to be limited by nothing.
  if (isUnlimited(policy) && !policy.places && (admin || !superAdmin)) return;
  const { tx } = ctx.write;
  // Of each membership of theirs: they may come in by any.
  const keys = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), eq(membershipKey.userRef, user)));
  if (keys.length === 0) return;
  const rows = await findEach(
    projectId,
    keys.map(({ id }) => ['ProjectMembership', id] as const),
    tx,
  );
  const theirs = rows.flatMap((row) => (row ? policiesOf(toResource<ProjectMembership>(row)) : []));
  const project = await findRow(projectId, 'Project', projectId, tx);
  const glass = project && readGlassTerms(toResource<Project>(project).setting ?? [])?.policy;
  const asked = glass ? [...theirs, glass] : theirs;
  const found = await findLineages(projectId, asked, { q: tx });
  // By name: what was deleted, and comes back by this, is among them as well.
  const names = [...asked, ...[...found.values()].flatMap(basesOf)];
  if (!names.includes(`AccessPolicy/${after.id}`)) return;
  throw new AppError('forbidden', 'This policy limits you: ask another administrator to change it');
}

const IN_USE_SHOWN = 20;

async function requireUnused(w: Write, { projectId, id }: Row): Promise<void> {
  const query = parseSearch('ProjectMembership', [['access-policy', `AccessPolicy/${id}`]], projectId);
  const { rows } = await searchRows(projectId, { ...query, count: IN_USE_SHOWN }, { op: 'all' }, w.tx);
  if (rows.length > 0) {
    const names = rows.map((row) => `ProjectMembership/${row.id}`).join(', ');
    throw new AppError('conflict', `The policy is in use by ${names}`);
  }
  const { steps } = await findDependents(projectId, `AccessPolicy/${id}`, w.tx);
  const upon = [...steps].flatMap(([name, step]) => (step === 1 ? [name] : []));
  if (upon.length > 0) {
    const names = upon.slice(0, IN_USE_SHOWN).join(', ');
    throw new AppError('conflict', `The policy is what others are based on: ${names}`);
  }
  const groups = await groupsGiving(w.tx, projectId, `AccessPolicy/${id}`);
  if (groups.length > 0) throw new AppError('conflict', `The policy is given by the groups ${groups.join(', ')}`);
  const domains = await domainsGiving(w.tx, projectId, `AccessPolicy/${id}`);
  if (domains.length > 0) throw new AppError('conflict', `The policy is given to who joins from ${domains.join(', ')}`);
  const project = await findRow(projectId, 'Project', projectId, w.tx);
  const terms = project && readGlassTerms(toResource<Project>(project).setting ?? []);
  if (terms && [terms.policy, ...terms.holders].includes(`AccessPolicy/${id}`))
    throw new AppError('conflict', 'The settings of emergency access name the policy');
  const defaults = project ? defaultPoliciesIn(toResource<Project>(project)) : [];
  if (defaults.some(({ reference }) => reference === `AccessPolicy/${id}`)) {
    throw new AppError('conflict', 'The policy is a default policy of the project', {
      expression: 'Project.defaultAccessPolicies',
    });
  }
}
