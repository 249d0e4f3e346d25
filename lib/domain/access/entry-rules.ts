import { fhirBase } from '#lib/base/fhir-base.ts';
import { type IpRule, readIpRule } from '#lib/protocol/fhir/identity/ip-rules.ts';
import { type EntryDates, isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { fieldIssues, propertiesOfField } from '#lib/protocol/fhir/identity/policy-fields.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { type Bind, parseCriteria } from '#lib/protocol/fhir/search/parse-criteria.ts';
import type { AccessPolicy, AccessPolicyRule, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { namesPolicy } from '#lib/protocol/policies/policy-required.ts';
import { type Entry, policyEntries, type Values, valuesOf } from './entries.ts';
import { type Ancestor, lineageOf } from './lineage.ts';
import { type Constraint, type Fields, INTERACTIONS, type Interaction, READING, type Rule, rule } from './rule.ts';
import { compartmentOf } from './writes-into.ts';

export type PolicySource = {
  projectId: string;
  membership: ProjectMembership;
  /** Every policy that the membership names, and all that these are based on, by reference. A missing one fails the session before it comes here. */
  policies: ReadonlyMap<string, AccessPolicy>;
  superAdmin: boolean;
  /** The project's setting: without any policy nothing is open. */
  requiresPolicy?: boolean;
  /** In epoch milliseconds: as it was then, of the dates of its entries. Else each moment asks for itself. */
  at?: number;
  /** Is told where each rule stands that was read: nothing of that is kept with a session. */
  tell?: (rule: Rule, of: RuleSource) => void;
};

/** The `index`th rule of a policy, which is that of the entry or one that it is based on, as it is written, with the values of its variables. */
export type RuleSource = { entry: Entry; policy: string; index: number; item: AccessPolicyRule; values: Values };

/** Whether it reaches everything, since no policy limits it. */
export function isOpen({ membership, requiresPolicy }: PolicySource): boolean {
  return !requiresPolicy && !namesPolicy(membership);
}

/** Keys of AccessPolicy and of its rules that this engine judges. A policy or rule that says anything else grants nothing. */
const JUDGED_POLICY = new Set([
  'resourceType',
  'id',
  'meta',
  'name',
  'resource',
  'text',
  'language',
  'extension',
  'ipAccessRule',
  'compartment',
  'basedOn',
]);
const JUDGED_RULE = new Set([
  ...['id', 'resourceType', 'criteria', 'readonly', 'interaction', 'hiddenFields', 'readonlyFields', 'writeConstraint'],
]);

/** From where the membership is used: the rules of all its policies in their order. Of what cannot be read, from nowhere. In steps, as `entryRules`. */
export function* placesOf({
  membership,
  policies,
}: Pick<PolicySource, 'membership' | 'policies'>): Generator<void, PlaceRule[]> {
  const places: PlaceRule[] = [];
  for (const { policy, time } of policyEntries(membership)) {
    for (const { policy: each } of lineageOf(policy, policies) ?? []) {
      for (const place of each.ipAccessRule ?? [])
        places.push({ ...(readIpRule(place) ?? { isAllowed: false }), ...(time && { time }) });
      yield;
    }
  }
  return places;
}

/** `time`: outside of it the rule is not there. */
export type PlaceRule = IpRule & { time?: EntryDates };

/**
 * What a policy grants. Where it says what the engine cannot judge it grants nothing; a rule that cannot be judged does not, either. In steps of a rule
 * each: between two of them, whoever wants the result may let others come first.
 */
export function* entryRules(entry: Entry, source: PolicySource): Generator<void, Rule[]> {
  const lineage = lineageOf(entry.policy, source.policies);
  if (!lineage?.every(({ policy }) => Object.keys(policy).every((key) => JUDGED_POLICY.has(key)))) return [];
  const { at } = source;
  if (at !== undefined && entry.time && !isInTime(entry.time, at)) return [];
  const time = at === undefined ? entry.time : undefined;
  const values = valuesOf(entry, source.membership);
  if (!compartmentOf(lineage, values)) return [];
  const rules: Rule[] = [];
  for (const { policy, index, item } of itemsOf(lineage)) {
    yield;
    const read = sharedRule(item, values, source.projectId);
    // Those after it would show what this one hides.
    if (!read && (item.hiddenFields ?? item.readonlyFields)) return [];
    if (!read) continue;
    const rule = time ? { ...read, time } : read;
    rules.push(rule);
    source.tell?.(rule, { entry, policy, index, item, values });
  }
  return rules;
}

/** Whether a policy speaks of this very type, also by a rule that cannot be judged: what others read whom no rule tells otherwise, who has it does not. */
export function speaksOf(type: string, { membership, policies, at }: PolicySource): boolean {
  const entries = policyEntries(membership).filter(({ time }) => at === undefined || !time || isInTime(time, at));
  const named = new Set(entries.map(({ policy }) => policy));
  return [...named].some((policy) =>
    itemsOf(lineageOf(policy, policies) ?? []).some(({ item }) => item.resourceType === type),
  );
}

/** What a policy says itself comes before what those say that it is based on: the first rule that holds decides of fields. */
export function itemsOf(lineage: readonly Ancestor[]): { policy: string; index: number; item: AccessPolicyRule }[] {
  return lineage.flatMap(({ reference, policy: { resource = [] } }) =>
    resource.map((item, index) => ({ policy: reference, index, item })),
  );
}

/** By the rule as it was loaded, which is one object for all who have it (load-actor.ts). */
const shared = new WeakMap<AccessPolicyRule, Rule>();

/** Whether no value changes it: such a rule is read once for all members, so that a policy of a hundred rules costs each no more than their list. */
export function isShared({ criteria, writeConstraint }: AccessPolicyRule): boolean {
  return !criteria?.includes('%') && !writeConstraint;
}

function sharedRule(item: AccessPolicyRule, values: Values, projectId: string): Rule | undefined {
  if (!isShared(item)) return readRule(item, values, projectId);
  const known = shared.get(item) ?? readRule(item, values, projectId);
  if (known) shared.set(item, known);
  return known;
}

function readRule(item: AccessPolicyRule, values: Values, projectId: string): Rule | undefined {
  const { resourceType, criteria } = item;
  if (!resourceType || Object.keys(item).some((key) => !JUDGED_RULE.has(key))) return undefined;
  const interactions = item.interaction ?? (item.readonly ? READING : [...INTERACTIONS]);
  const fields = readFields(item);
  const judged = criteria === undefined ? {} : readCriteria(criteria, resourceType, toBind(values), projectId);
  if (fields === 'unknown' || !judged) return undefined;
  const constraint = readConstraint(item, values);
  const also = { ...(fields && { fields }), ...(constraint && { constraint }) };
  return { ...rule(resourceType, interactions as Interaction[]), ...also, ...judged };
}

/** What these mean no parameter changes. */
const OF_FHIRPATH = new Set(['before', 'after', 'resource', 'rootResource', 'context', 'ucum', 'sct', 'loinc']);

/** What is no FHIRPath is never true. */
function readConstraint({ writeConstraint = [] }: AccessPolicyRule, values: Values): Constraint | undefined {
  if (writeConstraint.length === 0) return undefined;
  const variables = Object.fromEntries([...values].filter(([name]) => !OF_FHIRPATH.has(name)));
  return { expressions: writeConstraint.map(({ expression = '' }) => expression), variables };
}

/** `unknown`: it names what the type does not have. */
function readFields(item: AccessPolicyRule): Fields | 'unknown' | undefined {
  const { hiddenFields = [], readonlyFields = [] } = item;
  if (hiddenFields.length === 0 && readonlyFields.length === 0) return undefined;
  if (fieldIssues(item, '').length > 0) return 'unknown';
  const read = (names: string[]) => names.flatMap((name) => propertiesOfField(item.resourceType, name) ?? []);
  return { hidden: read(hiddenFields), readonly: read(readonlyFields) };
}

type Judged = Pick<Rule, 'expr' | 'own' | 'now'>;

/** What stands in a rule once, and is kept with it; what speaks of `%now` is read again each time. */
function readCriteria(text: string, type: string, bind: Bind, projectId: string): Judged | undefined {
  const parse = () => parseCriteria(text, bind, projectId, { baseUrl: fhirBase() });
  const parsed = parse();
  if (parsed?.type !== type) return undefined;
  const { expr, own, isTimed } = parsed;
  const now = (): Expr => parse()?.expr ?? { op: 'none' };
  return { expr, ...(own.length > 0 && { own }), ...(isTimed && { now }) };
}

/** `%now`, to the millisecond, is for dates. */
function toBind(values: Values): Bind {
  return (name, type) => {
    return values.get(name) ?? (name === 'now' && type === 'date' ? [new Date().toISOString()] : undefined);
  };
}
