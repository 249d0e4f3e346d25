import type { ToldPolicy, ToldRule } from '#lib/protocol/explain/explanation.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Say } from '#lib/protocol/policies/condition-words.ts';
import { ruleWords } from '#lib/protocol/policies/rule-words.ts';
import { policyEntries, valuesOf } from '../access/entry-rules.ts';
import type { Holds } from '../access/fields.ts';
import { covers } from '../access/policy.ts';
import type { Interaction, Rule } from '../access/rule.ts';
import { DRAFT, type Subject } from './load-subject.ts';

/** Whether a rule holds of each of the resources at hand: of a change, before and after. */
export type Judges = readonly Holds[];

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
    const text = item ? inWords(item, sayOf(entries[from.entry], subject)) : inherent(rule, entries.length === 0);
    const told: ToldRule = {
      policy: from ? toldPolicy(subject, from.policy) : null,
      index: from?.index ?? null,
      text,
      covers: isCovering,
      holds: judges.length === 0 ? null : judges.every((holds) => holds(rule)),
    };
    return [{ rule, told }];
  });
}

export function toldPolicy({ policies }: Pick<Subject, 'policies'>, reference: string): ToldPolicy {
  return { reference: reference === DRAFT ? null : reference, display: policies.get(reference)?.name ?? null };
}

function sayOf(
  entry: ReturnType<typeof policyEntries>[number] | undefined,
  { membership }: { membership: ProjectMembership },
): Say {
  const values = entry && valuesOf(entry, membership);
  return { projectId: membership.project?.reference?.split('/')[1], values: (name) => values?.get(name) };
}

function inWords(rule: Parameters<typeof ruleWords>[0], say: Say = {}): string {
  return `May ${ruleWords(rule, say).text}`;
}

function inherent({ resourceType, interactions }: Rule, isFree: boolean): string {
  const text = inWords({ resourceType, interaction: [...interactions] });
  if (resourceType === '*') return `${text}. The membership has no policy, so nothing else limits it.`;
  return `${text}. ${isFree ? 'So without any policy.' : 'No policy says so: it comes with the membership.'}`;
}
