import type { CallFacts } from '#lib/infra/sandbox/host/run-job.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Written } from '../written.ts';

/** To what a bot's call went, by its arguments: a type, or one resource. Never what was searched for, or written. */
export function targetOf(args: readonly unknown[]): CallFacts {
  const [first, second] = args;
  if (typeof first === 'string') return target(first, second);
  const { reference, resourceType, id } = (first ?? {}) as Record<string, unknown>;
  const [ofType, ofId] = typeof reference === 'string' ? reference.split('/') : [resourceType, id];
  return target(ofType, ofId);
}

/** And what it changed, by version. */
export function changeOf({ row, created, changed }: Written): CallFacts {
  const name = `${row.type}/${row.id}`;
  return { target: name, status: created ? 201 : 200, ...(changed && { wrote: [`${name}/_history/${row.version}`] }) };
}

/** What is no type and no id may be anything: a query, a name. */
function target(type: unknown, id: unknown): CallFacts {
  if (typeof type !== 'string' || !/^[A-Za-z]{1,64}$/.test(type)) return {};
  return { target: typeof id === 'string' && isFhirId(id) ? `${type}/${id}` : type };
}
