import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Extent, GrantingRule, Permissions, TypePermissions } from '#lib/protocol/policies/answers.ts';
import { policyEntries } from '../access/entries.ts';
import { itemsOf, type RuleSource } from '../access/entry-rules.ts';
import { lineageOf } from '../access/lineage.ts';
import { covers, exprOf, isUnlimited } from '../access/policy.ts';
import { INTERACTIONS, type Rule } from '../access/rule.ts';
import { writesInto } from '../access/writes-into.ts';
import { type PoliciesThen, presentIn } from './as-of/members-then.ts';
import { isBroken } from './is-broken.ts';
import { type Telling, tellRule, tellSource } from './tell-rule.ts';
import { type ToldPolicy, toldPolicy } from './told-policy.ts';

/** Rules that are told; a policy has hundreds at most, and a membership hundreds of those. */
const MOST_RULES = 2000;

type Of = { membership: ProjectMembership; policies: PoliciesThen; superAdmin: boolean; requiresPolicy: boolean };

/** What a membership may do, by type and interaction: what the engine makes of its policies, and by which rules. */
export async function permissionsOf({ membership, policies, ...of }: Of, telling: Telling): Promise<Permissions> {
  const isOpen = membership.active !== false && isInTime(toEntryDates(membership));
  const present = presentIn(policies);
  if (isBroken(membership, present))
    return { state: 'broken', isUnlimited: false, isPlaced: false, writesInto: null, types: [], idle: [], left: 0 };
  const state = isOpen ? 'open' : 'closed';
  const effective = await toldPolicy({ projectId: telling.projectId, membership, policies: present, ...of });
  const { policy } = effective;
  const budget = { left: MOST_RULES, untold: 0 };
  const types = [...new Set(policy.rules.map(({ resourceType }) => resourceType))].sort();
  return {
    state,
    isUnlimited: isUnlimited(policy),
    isPlaced: (policy.places?.length ?? 0) > 0,
    writesInto: policy.into ? [...writesInto(policy)] : null,
    types: types.map((type) => tableOf(effective, type, telling, budget)),
    // What a policy says beside what it grants is for administrators.
    idle: telling.names ? idleRules(effective, membership, present, telling, budget) : [],
    left: budget.untold,
  };
}

type Budget = { left: number; untold: number };

function tableOf(effective: ToldPolicy, type: string, telling: Telling, budget: Budget): TypePermissions {
  const { rules } = effective.policy;
  const own = rules.filter((r) => r.resourceType === type || (r.resourceType === '*' && type !== '*'));
  const extents = INTERACTIONS.map((each): [string, Extent] => {
    const granting = own.filter((r) => covers(r, type, each));
    const isWhole = (r: Rule) => exprOf(r).op === 'all' && !(r.constraint && (each === 'create' || each === 'update'));
    return [each, granting.some(isWhole) ? 'all' : granting.length > 0 ? 'some' : 'none'];
  });
  const told = sameRule(
    effective,
    own.filter((r) => INTERACTIONS.some((each) => covers(r, type, each))),
  ).flatMap(([rule, values]): GrantingRule[] => {
    if (!take(budget)) return [];
    const interactions = INTERACTIONS.filter((each) => covers(rule, type, each));
    const { hidden = [], readonly = [] } = rule.fields ?? {};
    return [
      { ...tellRule(effective, rule, telling, values), interactions, hidden: [...hidden], readonly: [...readonly] },
    ];
  });
  return { type, interactions: Object.fromEntries(extents), rules: told };
}

/** Whether another rule is told; counts it either way. */
function take(budget: Budget): boolean {
  if (budget.left === 0) {
    budget.untold += 1;
    return false;
  }
  budget.left -= 1;
  return true;
}

/** A policy that is given for many patients says each rule once, with all that its variables stand for. */
function sameRule({ told }: ToldPolicy, rules: readonly Rule[]): [Rule, RuleSource['values'] | undefined][] {
  const found = new Map<unknown, { rule: Rule; values?: Map<string, string[]> }>();
  for (const rule of rules) {
    const of = told.get(rule);
    const key = of ? JSON.stringify([of.policy, of.index]) : rule;
    const before = found.get(key);
    if (!before) found.set(key, { rule, ...(of && { values: new Map(of.values) }) });
    else
      for (const [name, values] of of?.values ?? []) {
        before.values?.set(name, [...new Set([...(before.values.get(name) ?? []), ...values])]);
      }
  }
  return [...found.values()].map(({ rule, values }) => [rule, values]);
}

const NO_VALUES: RuleSource['values'] = new Map();

/** What stands in the policies and is no rule of the engine's for any entry. */
function idleRules(
  { told }: ToldPolicy,
  membership: ProjectMembership,
  policies: ReadonlyMap<string, AccessPolicy>,
  telling: Telling,
  budget: Budget,
) {
  const read = new Set([...told.values()].map(({ policy, index }) => `${policy} ${index}`));
  const lineages = policyEntries(membership).flatMap(({ policy }) => lineageOf(policy, policies) ?? []);
  const items = new Map(itemsOf(lineages).map((each) => [`${each.policy} ${each.index}`, each]));
  return [...items].flatMap(([key, each]) => {
    return read.has(key) || !take(budget) ? [] : [tellSource(each, telling, NO_VALUES)];
  });
}
