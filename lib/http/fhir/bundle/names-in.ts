import { AppError } from '#lib/base/errors.ts';
import { isPlaceholder } from '#lib/protocol/fhir/find-links.ts';
import type { Entry } from './parse-entry.ts';

/** The placeholders by which entries could be meant. */
export function namesIn(raw: readonly Record<string, unknown>[]): { refuseIn(entry: Entry): void } {
  const names = new Set(
    raw.flatMap(({ fullUrl }) => (typeof fullUrl === 'string' && isPlaceholder(fullUrl) ? [fullUrl] : [])),
  );
  return {
    /** Entries of a batch have nothing to do with each other (R4 http §3.1.0.11.1): what is meant to be resolved would be stored as it is. */
    refuseIn({ resource, index }) {
      if (names.size === 0 || resource === undefined) return;
      const found = findReference(resource, names);
      if (found === undefined) return;
      const text = `Entries of a batch cannot refer to each other (${found}): send a transaction`;
      throw new AppError('invalid', text, { expression: `Bundle.entry[${index}].resource` });
    },
  };
}

function findReference(value: unknown, names: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { reference } = value as { reference?: unknown };
  if (typeof reference === 'string' && names.has(reference)) return reference;
  for (const key in value) {
    const found = findReference((value as Record<string, unknown>)[key], names);
    if (found !== undefined) return found;
  }
  return undefined;
}
