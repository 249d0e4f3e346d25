import type { ToldPolicy, ToldRule } from '#lib/protocol/explain/explanation.ts';
import { ruleInWords } from '#lib/protocol/explain/rule-in-words.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { policyEntries } from '../access/entry-rules.ts';
import { covers, exprOf } from '../access/policy.ts';
import type { Interaction, Rule } from '../access/rule.ts';
import { DRAFT, type Subject } from './load-subject.ts';

/** Whether a predicate holds of each of the resources at hand: of a change, before and after. */
export type Judges = readonly ((expr: Expr) => boolean)[];

/** A rule, and what is told of it. */
export type Spoken = { rule: Rule; told: ToldRule };

/** The rules that speak of a type, in their order, as the engine has read them. */
export function tellRules(
  subject: Pick<Subject, 'membership' | 'policies'>,
  rules: readonly Rule[],
  { type, interaction }: { type: string; interaction: Interaction },
  judges: Judges,
): Spoken[] {
  const entries = policyEntries(subject.membership);
  return rules.flatMap((rule) => {
    const isCovering = covers(rule, type, interaction);
    if (!isCovering && rule.resourceType !== type) return [];
    const { from } = rule;
    const policy = from && subject.policies.get(from.policy);
    const item = from && policy?.resource?.[from.index];
    const text = item
      ? ruleInWords(item, valuesOf(entries[from.entry], subject))
      : inherent(rule, entries.length === 0);
    const told: ToldRule = {
      policy: from ? toldPolicy(subject, from.policy) : null,
      index: from?.index ?? null,
      text,
      covers: isCovering,
      holds: judges.length === 0 ? null : judges.every((holds) => holds(exprOf(rule))),
    };
    return [{ rule, told }];
  });
}

export function toldPolicy({ policies }: Pick<Subject, 'policies'>, reference: string): ToldPolicy {
  return { reference: reference === DRAFT ? null : reference, display: policies.get(reference)?.name ?? null };
}

function inherent({ resourceType, interactions }: Rule, isFree: boolean): string {
  const item = { resourceType, interaction: [...interactions] };
  if (resourceType === '*') return `${ruleInWords(item)} The membership has no policy, so nothing else limits it.`;
  return `${ruleInWords(item)} ${isFree ? 'So without any policy.' : 'No policy says so: it comes with the membership.'}`;
}

type Entry = ReturnType<typeof policyEntries>[number];

function valuesOf(entry: Entry | undefined, { membership }: Pick<Subject, 'membership'>): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const add = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value]);
  for (const { name, valueString, valueReference } of entry?.parameter ?? [])
    add(name, valueString ?? valueReference?.reference ?? '');
  const profile = membership.profile?.reference;
  if (!profile) return values;
  values.set('profile', [profile]);
  if (profile.startsWith('Patient/') && !values.has('patient')) values.set('patient', [profile]);
  return values;
}
