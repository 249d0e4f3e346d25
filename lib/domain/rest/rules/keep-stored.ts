import type { Resource } from '#lib/protocol/fhir/types.ts';

/** `after` with these elements as they are stored, whatever the caller sent: read-only ones are kept silently (contract §4.2). */
export function keepStored(before: Resource, after: Resource, names: readonly string[]): Resource {
  const kept: Resource = { ...after };
  for (const name of names) {
    delete kept[name];
    if (before[name] !== undefined) kept[name] = before[name];
  }
  return kept;
}
