import type { HumanName } from 'fhir/r4';
import type { Resource } from '#lib/protocol/fhir/types.ts';

export type PersonName = { firstName: string; lastName: string };

/**
 * The record with the new name in the place of the old one: its official name, or else its first. Undefined when that says another already,
 * which is the project's own word.
 */
export function renameProfile<T extends Resource>(resource: T, from: PersonName, to: PersonName): T | undefined {
  const names: HumanName[] = Array.isArray(resource.name) ? resource.name : [];
  const official = names.findIndex(({ use }) => use === 'official');
  const at = official === -1 ? 0 : official;
  const old = names[at];
  if (!old || toText(old) !== `${from.firstName} ${from.lastName}`) return undefined;
  const { text, ...rest } = old;
  const next: HumanName = { ...rest, given: [to.firstName], family: to.lastName };
  if (text !== undefined)
    next.text = [...(rest.prefix ?? []), to.firstName, to.lastName, ...(rest.suffix ?? [])].join(' ');
  return { ...resource, name: names.with(at, next) };
}

function toText({ given = [], family, text = '' }: HumanName): string {
  const parts = [...given, family].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : text;
}
