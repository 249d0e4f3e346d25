import type { AccessPolicyRule } from '../fhir/types.ts';

const MOST_CHARACTERS = 1000;
const ALL = 7;

/** What a rule of a policy says, in plain English. `values`: of the parameters, by name. */
export function ruleInWords(
  rule: AccessPolicyRule,
  values: ReadonlyMap<string, readonly string[]> = new Map(),
): string {
  const { resourceType, criteria, hiddenFields = [], readonlyFields = [], writeConstraint = [] } = rule;
  const of = resourceType === '*' ? 'every type but those of the administration' : resourceType;
  const where = criteria === undefined ? '' : ` where ${criteria.slice(criteria.indexOf('?') + 1)}`;
  const said = [
    `${verbsOf(rule)} ${of}${where}.`,
    ...(hiddenFields.length > 0 ? [`Without ${listed(hiddenFields)}.`] : []),
    ...(readonlyFields.length > 0 ? [`Not changing ${listed(readonlyFields)}.`] : []),
    ...writeConstraint.map(({ expression = '' }) => `A change must fulfil: ${expression}.`),
    ...boundIn(rule, values),
  ].join(' ');
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said;
}

function verbsOf({ interaction, readonly }: AccessPolicyRule): string {
  if (!interaction) return readonly ? 'Read, not change,' : 'Read and change';
  if (interaction.length >= ALL) return 'Read and change';
  const text = listed(interaction);
  return text === '' ? 'Nothing of' : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** The parameters that it speaks of. */
function boundIn(
  { criteria = '', writeConstraint = [] }: AccessPolicyRule,
  values: ReadonlyMap<string, readonly string[]>,
) {
  const text = [criteria, ...writeConstraint.map(({ expression = '' }) => expression)].join(' ');
  return [...values]
    .filter(([name]) => new RegExp(`%${name.replace(/\W/g, '\\$&')}(?!\\w)`).test(text))
    .map(([name, all]) => `%${name} is ${listed(all, 'or')}.`);
}

function listed(all: readonly string[], word = 'and'): string {
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`;
}
