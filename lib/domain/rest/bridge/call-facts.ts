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

/** What a change was of. */
export function changeOf({ row, created }: Written): CallFacts {
  return { target: `${row.type}/${row.id}`, status: created ? 201 : 200 };
}

/** What is no type and no id may be anything: a query, a name. */
function target(type: unknown, id: unknown): CallFacts {
  if (typeof type !== 'string' || !/^[A-Za-z]{1,64}$/.test(type)) return {};
  return { target: typeof id === 'string' && isFhirId(id) ? `${type}/${id}` : type };
}
