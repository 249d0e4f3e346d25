import type { ToldPolicy as NamedPolicy, ToldRule } from '#lib/protocol/explain/explanation.ts';
import type { Say } from '#lib/protocol/policies/condition-words.ts';
import { ruleWords } from '#lib/protocol/policies/rule-words.ts';
import type { Holds } from '../access/fields.ts';
import { covers } from '../access/policy.ts';
import type { Interaction, Rule } from '../access/rule.ts';
import type { ToldPolicy } from '../sight/told-policy.ts';
import { DRAFT, type Subject } from './load-subject.ts';

/** Whether a rule holds of each of the resources at hand: of a change, before and after. */
export type Judges = readonly Holds[];

/** A rule, and what is told of it. */
export type Spoken = { rule: Rule; told: ToldRule };

/** The rules that speak of a type, in their order, as the engine has read them. */
export function tellRules(
  { policies, membership }: Pick<Subject, 'membership' | 'policies'>,
  { policy: { rules }, told: sources, isLimited }: ToldPolicy,
  { type, interaction }: { type: string; interaction: Interaction },
  judges: Judges,
): Spoken[] {
  const projectId = membership.project?.reference?.split('/')[1];
  return rules.flatMap((rule) => {
    const isCovering = covers(rule, type, interaction);
    if (!isCovering && rule.resourceType !== type) return [];
    const of = sources.get(rule);
    const told: ToldRule = {
      policy: of ? namePolicy({ policies }, of.policy) : null,
      index: of?.index ?? null,
      text: of ? inWords(of.item, { projectId, values: (name) => of.values.get(name) }) : inherent(rule, !isLimited),
      covers: isCovering,
      holds: judges.length === 0 ? null : judges.every((holds) => holds(rule)),
    };
    return [{ rule, told }];
  });
}

function namePolicy({ policies }: Pick<Subject, 'policies'>, reference: string): NamedPolicy {
  return { reference: reference === DRAFT ? null : reference, display: policies.get(reference)?.name ?? null };
}

function inWords(rule: Parameters<typeof ruleWords>[0], say: Say = {}): string {
  return `May ${ruleWords(rule, say).text}`;
}

function inherent({ resourceType, interactions }: Rule, isFree: boolean): string {
  const text = inWords({ resourceType, interaction: [...interactions] });
  if (resourceType === '*') return `${text}. The membership has no policy, so nothing else limits it.`;
  return `${text}. ${isFree ? 'So without any policy.' : 'No policy says so: it comes with the membership.'}`;
}
