import type { HumanName } from 'fhir/r4';
import type { Resource } from '#lib/protocol/fhir/types.ts';

/** How a person, client or bot is shown in a reference; undefined when it has no name. */
export function displayName(resource: Resource): string | undefined {
  const { name } = resource;
  if (typeof name === 'string') return name;
  const [first] = Array.isArray(name) ? (name as HumanName[]) : [];
  const text = first?.text ?? [...(first?.given ?? []), first?.family].filter(Boolean).join(' ');
  return text || undefined;
}
