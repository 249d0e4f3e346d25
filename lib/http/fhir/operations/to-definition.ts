import { fhirBase } from '#lib/base/fhir-base.ts';
import { DATE } from '#lib/domain/rest/capability-statement.ts';
import type { Definition } from './operation.ts';

/** Its id. */
export function nameOf({ resource, code }: Definition): string {
  return `${resource || 'System'}-${code}`;
}

/**
 * R4 CapabilityStatement.rest.resource.operation.definition: HL7's own address says that all of it is there; who has a part of it has a definition,
 * based on that one.
 */
export function addressOf(definition: Definition): string {
  const { base, lacks = [] } = definition;
  return base !== undefined && lacks.length === 0 ? base : `${fhirBase()}/OperationDefinition/${nameOf(definition)}`;
}

export function toDefinition(definition: Definition): Record<string, unknown> {
  const { code, resource, at, affectsState, parameters, returns, comment, base, lacks = [] } = definition;
  const without = lacks.length > 0 ? `Not there, and so refused by name: ${lacks.join(', ')}.` : undefined;
  return {
    resourceType: 'OperationDefinition',
    id: nameOf(definition),
    url: `${fhirBase()}/OperationDefinition/${nameOf(definition)}`,
    name: [resource || 'System', ...code.split('-')]
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join(''),
    status: 'active',
    kind: 'operation',
    date: DATE,
    affectsState,
    code,
    ...((comment ?? without) && { comment: [comment, without].filter((text) => text !== undefined).join(' ') }),
    ...(base !== undefined && { base }),
    ...(resource !== '' && { resource: [resource] }),
    system: at.includes('system'),
    type: at.includes('type'),
    instance: at.includes('instance'),
    parameter: [
      ...toIn(parameters),
      ...toOut(typeof returns === 'string' ? { return: { type: returns, min: 1 } } : returns),
    ],
  };
}

function toIn(taken: Definition['parameters']): object[] {
  return Object.entries(taken).map(([name, { min = 0, max = 1, documentation, ...is }]) => ({
    name,
    use: 'in',
    min,
    max: String(max),
    ...(documentation !== undefined && { documentation }),
    ...('part' in is ? { part: toIn(is.part) } : { type: is.type }),
  }));
}

function toOut(told: Exclude<Definition['returns'], string>): object[] {
  return Object.entries(told).map(([name, { type, min = 0, max = '1', part }]) => ({
    name,
    use: 'out',
    min,
    max,
    ...(part ? { part: toOut(part) } : { type }),
  }));
}
