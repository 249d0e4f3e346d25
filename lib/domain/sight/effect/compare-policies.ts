import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { TypeEffect } from '#lib/protocol/policies/answers.ts';
import { mayWords } from '#lib/protocol/policies/rule-words.ts';
import { everHidden } from '../../access/fields.ts';
import { covers, mayReach, reach } from '../../access/policy.ts';
import { INTERACTIONS, type Interaction, type Rule } from '../../access/rule.ts';
import type { ToldPolicy } from '../told-policy.ts';

/** Which records may be reached before and after: `none` where the type is closed. */
export type Reached = { before: Expr; after: Expr };
/** What of a type changes. `read`, `change`: where other rules decide, of which records is to be counted. */
export type Compared = Omit<TypeEffect, 'read' | 'change'> & { read?: Reached; change?: Reached };

/** What becomes different for one type; undefined where nothing does. */
export function comparePolicies(before: ToldPolicy, after: ToldPolicy, type: string): Compared | undefined {
  const changed = INTERACTIONS.filter((each) => rulesOf(before, type, each) !== rulesOf(after, type, each));
  if (changed.length === 0) return undefined;
  const opened = changed.filter((each) => !mayReach(before, type, each) && mayReach(after, type, each));
  const closed = changed.filter((each) => mayReach(before, type, each) && !mayReach(after, type, each));
  return {
    type,
    gains: mayWords(opened),
    loses: mayWords(closed),
    ...(changed.includes('read') && { read: reached(before, after, type, 'read') }),
    ...(changed.includes('update') && { change: reached(before, after, type, 'update') }),
    fields: fieldsOf(before, after, type),
    isConstraintChanged: constraintsOf(before, type) !== constraintsOf(after, type),
  };
}

/** Types that rules speak of by name; `all`: whether what holds of every type becomes something else. */
export function typesOf(before: ToldPolicy, after: ToldPolicy): { named: string[]; all: boolean } {
  const named = [before, after].flatMap(({ policy }) => policy.rules.map(({ resourceType }) => resourceType));
  const all = INTERACTIONS.some((each) => starsOf(before, each) !== starsOf(after, each));
  return { named: [...new Set(named)].filter((type) => type !== '*'), all };
}

/** The rules as they are written, with their values: what asks for this moment (`%now`) is not another question a moment later. */
function rulesOf(of: ToldPolicy, type: string, interaction: Interaction): string {
  return signatureOf(
    of,
    rulesAbout(of, type).filter((r) => covers(r, type, interaction)),
  );
}

function starsOf(of: ToldPolicy, interaction: Interaction): string {
  return signatureOf(
    of,
    rulesAbout(of, '*').filter((r) => r.interactions.has(interaction)),
  );
}

const byType = new WeakMap<ToldPolicy, Map<string, Rule[]>>();

/** In their order. A policy has a rule for each of a hundred types: each is not looked through for each. */
function rulesAbout(of: ToldPolicy, type: string): Rule[] {
  let types = byType.get(of);
  if (!types) {
    types = new Map();
    const all = of.policy.rules;
    const stars = all.filter((r) => r.resourceType === '*');
    const named = Map.groupBy(all, (r) => r.resourceType);
    for (const [name, rules] of named) {
      const isMixed = name !== '*' && stars.length > 0;
      types.set(name, isMixed ? all.filter((r) => r.resourceType === name || r.resourceType === '*') : rules);
    }
    types.set('*', stars);
    byType.set(of, types);
  }
  return types.get(type) ?? types.get('*') ?? [];
}

function signatureOf({ told }: ToldPolicy, rules: readonly Rule[]): string {
  return JSON.stringify(rules.map((r) => signatures.get(r) ?? sign(r, told)));
}

const signatures = new WeakMap<Rule, string>();

/** Whatever order its elements stand in, and in whichever way it says what may be done. */
function sign(rule: Rule, told: ToldPolicy['told']): string {
  const of = told.get(rule);
  const interaction = [...rule.interactions].sort();
  const written = of && JSON.stringify(of.item);
  const values = of && [...of.values].filter(([name]) => written?.includes(`%${name}`)).sort();
  const { readonly: _, ...item } = of?.item ?? { resourceType: rule.resourceType };
  const text = sorted({ ...item, interaction, values, isRole: !of });
  signatures.set(rule, text);
  return text;
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => {
    const isObject = typeof each === 'object' && each !== null && !Array.isArray(each);
    return isObject ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1))) : each;
  });
}

function reached(before: ToldPolicy, after: ToldPolicy, type: string, interaction: Interaction): Reached {
  const of = (each: ToldPolicy): Expr => {
    return mayReach(each, type, interaction) ? reach(each, type, interaction) : { op: 'none' };
  };
  return { before: of(before), after: of(after) };
}

function fieldsOf(before: ToldPolicy, after: ToldPolicy, type: string): TypeEffect['fields'] {
  const [hidden, hides] = [everHidden(before, type), everHidden(after, type)];
  const [fixed, fixes] = [everFixed(before, type), everFixed(after, type)];
  return {
    hides: without(hides, hidden),
    shows: without(hidden, hides),
    fixes: without(fixes, fixed),
    frees: without(fixed, fixes),
  };
}

function everFixed({ policy }: ToldPolicy, type: string): ReadonlySet<string> {
  return new Set(policy.rules.flatMap((r) => (r.resourceType === type ? (r.fields?.readonly ?? []) : [])));
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...names].filter((name) => !others.has(name)).sort();
}

function constraintsOf({ policy }: ToldPolicy, type: string): string {
  return JSON.stringify(policy.rules.flatMap((r) => (r.resourceType === type && r.constraint ? [r.constraint] : [])));
}
