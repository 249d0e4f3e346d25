import type { Resource } from 'fhir/r4';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';

const READS = ['read', 'search'];

/** Of which types something is read, in their order; `*` is all that no rule names. */
export function toSeenTypes({ resource = [] }: AccessPolicy): string[] {
  const read = resource.filter(({ interaction = [] }) => interaction.some((each) => READS.includes(each)));
  return [...new Set(read.map(({ resourceType }) => resourceType))].sort();
}

type Named = { name?: unknown; title?: unknown; code?: { text?: unknown; coding?: { display?: unknown }[] } };
type Name = { text?: string; given?: string[]; family?: string };

/** What a record is called where it says so. */
export function toLabel(resource: Resource): string | undefined {
  const { name, title, code } = resource as Resource & Named;
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return text(name) ?? toPersonName(name) ?? text(title) ?? text(code?.text) ?? text(code?.coding?.[0]?.display);
}

function toPersonName(names: unknown): string | undefined {
  if (!Array.isArray(names)) return undefined;
  const { text, given = [], family } = (names[0] ?? {}) as Name;
  return text || [...given, family].filter(Boolean).join(' ') || undefined;
}
