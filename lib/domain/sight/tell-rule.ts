import type { ToldRule } from '#lib/protocol/policies/answers.ts';
import { ruleWords } from '#lib/protocol/policies/rule-words.ts';
import type { RuleSource } from '../access/entry-rules.ts';
import type { Rule } from '../access/rule.ts';
import { type Names, named } from '../audit/resolve-names.ts';
import type { ToldPolicy } from './told-policy.ts';

/** `names` of policies; without them it is not told which policy it is. `own`: whose `%profile` is, said to themself. */
export type Telling = { projectId: string; names?: Names; own?: string };

/** A rule as a reader is told it. `values`: of its variables, where they are not those of its entry alone. */
export function tellRule(
  { told, isLimited }: ToldPolicy,
  rule: Rule,
  telling: Telling,
  values?: RuleSource['values'],
): ToldRule {
  const of = told.get(rule);
  if (of) return tellSource(of, telling, values ?? of.values);
  const { text } = ruleWords({ resourceType: rule.resourceType, interaction: [...rule.interactions] });
  const isAll = !isLimited && rule.resourceType === '*';
  return { by: isAll ? 'none' : 'role', policy: null, index: null, text };
}

/** Of a rule that is written, whether or not it grants something. */
export function tellSource(
  { policy, index, item }: Pick<RuleSource, 'policy' | 'index' | 'item'>,
  { projectId, names, own }: Telling,
  values: RuleSource['values'],
): ToldRule {
  const say = { projectId, own, values: (name: string) => values.get(name) };
  if (names) return { by: 'policy', policy: named(names, policy), index, text: ruleWords(item, say).text };
  // How a change is judged is the policy's own text: to who is limited by it, that there is something.
  const { writeConstraint, ...open } = item;
  const { text } = ruleWords(open, say);
  const judged = writeConstraint?.length ? `${text}; a change only as the policy wants it` : text;
  return { by: 'policy', policy: null, index: null, text: judged };
}
