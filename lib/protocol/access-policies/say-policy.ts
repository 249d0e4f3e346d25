import type { AccessPolicy, AccessPolicyRule } from '../fhir/types.ts';

const NAMED = 3;

/** What a policy gives, in short words: "Changes Task and Observation. Reads Patient. 1 of 3 rules with criteria". */
export function sayPolicy({
  resource = [],
  ipAccessRule = [],
  compartment,
  basedOn = [],
}: Pick<AccessPolicy, 'resource' | 'ipAccessRule' | 'compartment' | 'basedOn'>): string {
  const bases = basedOn.length === 1 ? 'another policy gives' : `${basedOn.length} other policies give`;
  if (resource.length === 0 && basedOn.length > 0) return `Gives what ${bases}`;
  if (resource.length === 0) return 'Gives nothing';
  const changed = typesOf(resource.filter(changes));
  const read = typesOf(resource.filter((rule) => reads(rule) && !changed.includes(rule.resourceType)));
  const said = [
    changed.length > 0 && `Changes ${sayTypes(changed)}`,
    read.length > 0 && `Reads ${sayTypes(read)}`,
    sayLimits(resource),
    ipAccessRule.length > 0 && 'Only from some addresses',
    compartment?.reference && changed.length > 0 && `What is written belongs to ${compartment.reference}`,
    basedOn.length > 0 && `And what ${bases}`,
  ].filter(Boolean);
  return said.length > 0 ? said.join('. ') : 'Gives nothing';
}

function changes({ interaction, readonly }: AccessPolicyRule): boolean {
  if (!interaction) return !readonly;
  return interaction.some((one) => one === 'create' || one === 'update' || one === 'delete');
}

function reads({ interaction }: AccessPolicyRule): boolean {
  return !interaction || interaction.some((one) => one !== 'create' && one !== 'update' && one !== 'delete');
}

function typesOf(rules: readonly AccessPolicyRule[]): string[] {
  return [...new Set(rules.map(({ resourceType }) => resourceType))];
}

function sayTypes(types: readonly string[]): string {
  if (types.includes('*')) return 'records of every type';
  const rest = types.length - NAMED;
  const names = types.slice(0, rest === 1 ? NAMED + 1 : NAMED);
  return rest > 1 ? `${names.join(', ')} and ${rest} types more` : joined(names);
}

function joined(names: readonly string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '');
}

function sayLimits(rules: readonly AccessPolicyRule[]): string | false {
  const limits = [
    [rules.filter(({ criteria }) => criteria !== undefined).length, 'criteria'],
    [rules.filter(({ hiddenFields }) => hiddenFields?.length).length, 'hidden fields'],
  ] as const;
  const told = limits.filter(([count]) => count > 0);
  if (told.length === 0) return false;
  if (rules.length === 1) return `With ${joined(told.map(([, what]) => what))}`;
  return told
    .map(([count, what], at) => `${count}${at === 0 ? ` of ${rules.length} rules` : ''} with ${what}`)
    .join(', ');
}
