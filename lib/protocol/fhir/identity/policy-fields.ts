import type { Issue } from '#lib/base/errors.ts';
import { propertiesOf, structure } from '../structures.ts';
import { isIdentityType } from '../type-ids.ts';
import type { AccessPolicyRule } from '../types.ts';

/** Without these nothing is told apart, or read at all. */
const NEVER = new Set(['id', 'meta']);
/** Operations, exports and the platform itself speak of all of them, whoever asks. */
const WHOLE = new Set([
  ...['Binary', 'Group', 'CodeSystem', 'ValueSet', 'ConceptMap', 'NamingSystem', 'StructureDefinition'],
  ...['SearchParameter', 'OperationDefinition', 'Subscription', 'AuditEvent', 'Bundle', 'Parameters'],
]);
const MOST_FIELDS = 100;

const KINDS = ['hiddenFields', 'readonlyFields'] as const;

/** What of a resource's JSON a field of a policy is: an element at the top; of a choice (`value[x]`) all forms. Undefined for what is none. */
export function propertiesOfField(type: string, field: string): string[] | undefined {
  const name = field.replace(/\[x\]$/, '');
  const element = structure(type)?.elements.get(name);
  if (!element || NEVER.has(name) || (name !== field && !element.choice)) return undefined;
  return propertiesOf(type, (each) => each.name === name);
}

/** Why a rule's fields cannot be kept. Expects a structurally valid rule. */
export function fieldIssues(rule: AccessPolicyRule, path: string): Issue[] {
  const { resourceType: type } = rule;
  return KINDS.flatMap((kind) => {
    const fields = rule[kind] ?? [];
    const refuse = (text: string, at?: number): Issue => {
      return {
        text: `${kind}: ${text}`,
        expression: `${path}.${kind}${at === undefined ? '' : `[${at}]`}`,
        code: 'invariant',
      };
    };
    if (fields.length === 0) return [];
    if (type === '*') return [refuse('they need a rule of one type')];
    if (WHOLE.has(type) || isIdentityType(type)) return [refuse(`${type} is read as a whole`)];
    if (fields.length > MOST_FIELDS) return [refuse(`a rule has at most ${MOST_FIELDS}`)];
    return fields.flatMap((field, at) => {
      if (!propertiesOfField(type, field))
        return [refuse(`${field.slice(0, 80)} is no element at the top of ${type} that can be told apart`, at)];
      const isNeeded = structure(type)?.elements.get(field.replace(/\[x\]$/, ''))?.min === 1;
      const isWritten = kind === 'hiddenFields' ? writes(rule, 'create', 'update') : writes(rule, 'create');
      if (!isNeeded || !isWritten) return [];
      return [
        refuse(
          `no ${type} is without ${field}, so that a rule with it lets none be ${kind === 'hiddenFields' ? 'written' : 'made'}`,
          at,
        ),
      ];
    });
  });
}

function writes({ readonly, interaction }: AccessPolicyRule, ...asked: ('create' | 'update')[]): boolean {
  return interaction ? asked.some((one) => interaction.includes(one)) : !readonly;
}
