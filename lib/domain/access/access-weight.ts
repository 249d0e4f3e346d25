import { AppError } from '#lib/base/errors.ts';
import { isLinked } from '#lib/protocol/fhir/search/chains.ts';
import { splitEscaped } from '#lib/protocol/fhir/search/values.ts';
import type { AccessPolicy, AccessPolicyRule, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { policyEntries, type Values, valuesOf } from './entries.ts';
import { isShared, itemsOf, type PolicySource } from './entry-rules.ts';
import { lineageOf } from './lineage.ts';
import type { Rule } from './rule.ts';

/**
 * What a membership's access may weigh: about the bytes of its rules, over all entries of `access`, as they are when the values of their variables are
 * put in. Read, so much takes a second or two and some 20 MB, and is a list that every request looks through.
 */
const MOST = 2 * 1024 * 1024;
/** Of what values make of one rule: a thousand references. It is read in one go, within which nobody else is answered. */
const MOST_OF_RULE = 64 * 1024;

/** What is said of more. */
export const TOO_HEAVY =
  'The rules of all its policies, with the values of their parameters, come to more than 2 MiB: name fewer, or smaller ones';

/** Whether policies of which each is had at least once come to more by themselves: for who loads them, some at a time. */
export function areTooLong(policies: ReadonlyMap<string, AccessPolicy>): boolean {
  let length = 0;
  for (const policy of policies.values()) length += lengthOf(policy);
  return length > MOST;
}

/** Of a rule beside its text. */
const RULE = 64;
/** A chain or `_has` asks another resource of each that is looked at. */
const LINK = 1024;
/** Of an alternative beside its text, as often as it stands for a value. */
const VALUE = 16;
/** Of a value that is looked for in the middle of each text that a record has: no order helps. */
const CONTAINS = 4096;
/** What speaks of `%now` is read again with each request. */
const TIMED = 16;

/** Whether it weighs more than a member may have. Of policies that are not there nothing is known. */
export function isTooHeavy(membership: Access, policies: ReadonlyMap<string, AccessPolicy>): boolean {
  let weight = 0;
  for (const entry of policyEntries(membership as ProjectMembership)) {
    const lineage = lineageOf(entry.policy, policies) ?? [];
    const values = valuesOf(entry, membership);
    weight += entry.parameter.length > 0 ? lengthOf(entry.parameter) : 0;
    for (const { policy } of lineage) weight += lengthOf(policy);
    for (const { item } of itemsOf(lineage)) {
      weight += ruleWeight(item, values);
      if (weight > MOST) return true;
    }
  }
  return weight > MOST;
}

type Access = Pick<ProjectMembership, 'accessPolicy' | 'access' | 'profile'>;

/** What nobody's own record is longer than: where it is not known yet whose it will be. */
const SOMEBODY = { reference: `Patient/${'x'.repeat(72)}` };

/** Throws 400 for a membership that would be broken by what its access weighs, whoever has it. */
export function requireLight(
  access: Pick<ProjectMembership, 'accessPolicy' | 'access'>,
  policies: ReadonlyMap<string, AccessPolicy>,
): void {
  if (isTooHeavy({ ...access, profile: SOMEBODY }, policies))
    throw new AppError('invalid', TOO_HEAVY, { expression: 'ProjectMembership.access' });
}

/** Whether nobody could have it, with what it is based on of `policies`. */
export function isUnbearable(policy: AccessPolicy, policies: ReadonlyMap<string, AccessPolicy>): boolean {
  const membership = { accessPolicy: { reference: '' }, profile: SOMEBODY };
  return isTooHeavy(membership, new Map([...policies, ['', policy]]));
}

/** Throws 400 for a policy that nobody could have. */
export function requireBearable({ basedOn: _, ...policy }: AccessPolicy): void {
  if (isUnbearable(policy, new Map()))
    throw new AppError(
      'invalid',
      'The rules of a policy come to at most 2 MiB, with what %profile and %now make of them',
      {
        expression: 'AccessPolicy.resource',
      },
    );
}

/** Of compiled policies in one process, in weight: some 300 MB. */
export const KEPT = 32 * 1024 * 1024;

/** What a compiled policy takes for as long as it is kept, at least 1. Rules that no value changes are one for all members. */
export function keptOf({ rules }: { rules: readonly Rule[] }): number {
  return kept.get(rules) ?? 1;
}

const kept = new WeakMap<readonly Rule[], number>();

/** Says of what the rules were made. */
export function noteKept(
  rules: readonly Rule[],
  { membership, policies }: Pick<PolicySource, 'membership' | 'policies'>,
): void {
  let weight = 1;
  for (const entry of policyEntries(membership)) {
    const values = valuesOf(entry, membership);
    for (const { item } of itemsOf(lineageOf(entry.policy, policies) ?? []))
      weight += isShared(item) ? POINTER : (item.criteria?.length ?? 0) + ruleWeight(item, values);
  }
  // What is beyond all bounds is kept by nobody.
  kept.set(rules, Number.isFinite(weight) ? weight : KEPT + 1);
}

const POINTER = 8;

/** Beside its text as it is written. */
function ruleWeight(item: AccessPolicyRule, values: Values): number {
  const known = measured.get(item) ?? measure(item);
  measured.set(item, known);
  let grown = 0;
  for (const { length, names } of known.alternatives) {
    const bound = names.map((name) => values.get(name) ?? ['']);
    const count = bound.reduce((product, each) => product * each.length, 1);
    const texts = bound.reduce((sum, each) => sum + (count / each.length) * totalOf(each), 0);
    grown += count * (length + VALUE) + texts;
    if (grown > MOST_OF_RULE) return Number.POSITIVE_INFINITY;
  }
  return known.fixed + grown * known.factor + (item.writeConstraint ? values.size * VALUE : 0);
}

/** `alternatives`: those that speak of variables, and their length in characters. `factor`: how often it is read. */
type Measured = { fixed: number; factor: number; alternatives: { length: number; names: string[] }[] };

const measured = new WeakMap<AccessPolicyRule, Measured>();

function measure({ criteria = '' }: AccessPolicyRule): Measured {
  const pairs = criteria.slice(criteria.indexOf('?') + 1).split('&');
  const factor = /%now(?![\w-])/.test(criteria) ? TIMED : 1;
  const links = pairs.filter((pair) => isLinked(pair.split('=', 1)[0] ?? '')).length;
  let dear = 0;
  const alternatives = pairs.flatMap((pair) => {
    const cost = /^[^=]*:contains(?:$|=)/.test(pair) ? CONTAINS : 0;
    return splitEscaped(pair.slice(pair.indexOf('=') + 1), ',').flatMap((text) => {
      const names = [...text.matchAll(/%([A-Za-z_][A-Za-z0-9_-]*)/g)].map(([, name = '']) => name);
      if (names.length === 0) dear += cost;
      return names.length === 0 ? [] : [{ length: text.length + cost, names }];
    });
  });
  return { fixed: RULE + links * LINK + dear + (factor - 1) * criteria.length, factor, alternatives };
}

function totalOf(values: readonly string[]): number {
  const known = totals.get(values) ?? values.reduce((sum, each) => sum + each.length, 0);
  totals.set(values, known);
  return known;
}

const totals = new WeakMap<readonly string[], number>();

/** Of its JSON, in characters. */
export function lengthOf(value: object): number {
  const known = lengths.get(value) ?? JSON.stringify(value).length;
  lengths.set(value, known);
  return known;
}

const lengths = new WeakMap<object, number>();
