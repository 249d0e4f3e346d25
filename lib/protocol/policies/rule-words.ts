import type { AccessPolicyRule, PolicyInteraction } from '../fhir/types.ts';
import { conditionWords, type Say } from './condition-words.ts';

/**
 * A rule of a policy in words. `may`: what may be done, of `records`; `where`: conditions that all hold; `must`: what has to be true of a change.
 * `text`: all of it, to be read after "may".
 */
export type RuleWords = {
  text: string;
  may: string[];
  records: string;
  where: string[];
  hidden: string[];
  readonly: string[];
  must: string[];
};

const ALL: PolicyInteraction[] = ['read', 'vread', 'history', 'search', 'create', 'update', 'delete'];
const READING: PolicyInteraction[] = ['read', 'vread', 'history', 'search'];

/**
 * What a rule says. `say` gives the values of its variables; one that it does not know is told by its name. It only puts into words what
 * is written: whether the engine judges it, and how, the engine says.
 */
export function ruleWords(rule: Omit<AccessPolicyRule, 'compartment'>, say: Say = {}): RuleWords {
  const { resourceType, criteria, hiddenFields: hidden = [], readonlyFields: readonly = [] } = rule;
  const may = mayWords(rule.interaction ?? (rule.readonly ? READING : ALL));
  const records = recordsOf(resourceType);
  const where = criteria === undefined ? [] : conditionWords(criteria, resourceType, say);
  const must = (rule.writeConstraint ?? []).map(({ expression = '' }) => expression);
  const parts = [
    `${joined(may, 'and')} ${records}${where.length > 0 ? ` ${joined(where, 'and')}` : ''}`,
    ...(hidden.length > 0 ? [`without seeing ${joined(hidden, 'or')}`] : []),
    ...(readonly.length > 0 ? [`without changing ${joined(readonly, 'or')}`] : []),
    ...(must.length > 0 ? [`a change only where ${joined(must, 'and')}`] : []),
  ];
  return { text: parts.join('; '), may, records, where, hidden: [...hidden], readonly: [...readonly], must };
}

/** `read` is of all versions where those are allowed as well; of a shorter list each is named. */
export function mayWords(interactions: readonly string[]): string[] {
  const has = (name: PolicyInteraction) => interactions.includes(name);
  const isWhole = has('read') && has('vread') && has('history');
  const reading = isWhole
    ? ['read']
    : [
        ...(has('read') ? ['read the current version of'] : []),
        ...(has('vread') ? ['read single versions of'] : []),
        ...(has('history') ? ['read the history of'] : []),
      ];
  return [
    ...reading,
    ...(has('search') ? ['search'] : []),
    ...(has('create') ? ['create'] : []),
    ...(has('update') ? ['change'] : []),
    ...(has('delete') ? ['delete'] : []),
  ];
}

const UNCOUNTED = /(Media|Information|Parameters|Evidence)$/;

/** Patient -> Patients. */
export function recordsOf(type: string): string {
  if (type === '*') return 'records of every type';
  if (UNCOUNTED.test(type)) return type;
  return /[^aeiou]y$/.test(type) ? `${type.slice(0, -1)}ies` : `${type}s`;
}

export function joined(words: readonly string[], last: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;
}
