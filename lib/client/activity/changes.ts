import type { AuditNames } from '#lib/protocol/answers/audit.ts';

/** One value that an action changed; undefined where there was, or is, none. */
export type Change = { path: string; before: string | undefined; after: string | undefined };

const LONGEST = 160;

/** What differs between two states, path by path. References show their names, long texts their beginning. */
export function toChanges(before: unknown, after: unknown, names: AuditNames = {}): Change[] {
  const was = new Map(flatten('', before, names));
  const is = new Map(flatten('', after, names));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((change) => change.before !== change.after)
    .map(({ path, before: old, after: now }) => ({ path: path || 'value', before: shorten(old), after: shorten(now) }));
}

function flatten(path: string, value: unknown, names: AuditNames): [string, string][] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item !== 'object' || item === null);
    if (isFlat) return value.length > 0 ? [[path, value.join(', ')]] : [];
    return value.flatMap((item, index) => flatten(`${path}[${index}]`, item, names));
  }
  if (typeof value !== 'object') return [[path, String(value)]];
  if ('reference' in value && typeof value.reference === 'string') return [[path, nameOf(value, names)]];
  return Object.entries(value).flatMap(([key, item]) => flatten(path ? `${path}.${key}` : key, item, names));
}

function nameOf(value: object, names: AuditNames): string {
  const { reference, display } = value as { reference: string; display?: unknown };
  return names[reference] ?? (typeof display === 'string' ? display : reference);
}

/** The whole of a text is compared; only its beginning is shown. */
function shorten(text: string | undefined): string | undefined {
  return text && text.length > LONGEST
    ? `${text.slice(0, LONGEST)}… (${text.length.toLocaleString('en')} characters)`
    : text;
}
