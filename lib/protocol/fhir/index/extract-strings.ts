import { foldString, toEntries } from './normalize.ts';

type Json = Record<string, unknown>;

const PARTS: Record<string, readonly string[]> = {
  HumanName: ['text', 'family', 'given', 'prefix', 'suffix'],
  Address: ['text', 'line', 'city', 'district', 'state', 'postalCode', 'country'],
};
/** The order in which people write a name, for names without a text. */
const FULL_NAME = ['given', 'family'];

/** `heads` are for a search by the beginning, `windows` what else there is of longer texts, `raw` is for `:exact`. */
type IndexStrings = { heads: Iterable<string>; windows: Iterable<string>; raw: string[] };

/** Index strings of a value: each part of a HumanName or Address apart, and a name in full. */
export function extractStrings(type: string, value: unknown): IndexStrings {
  const raw = typeof value === 'string' ? [value] : partsOf(type, value);
  const full = type === 'HumanName' ? fullName(value) : [];
  const heads = new Set<string>();
  const windows = new Set<string>();
  for (const text of [...raw, ...full]) {
    const entries = toEntries(foldString(text));
    if (entries.head !== '') heads.add(entries.head);
    for (const window of entries.windows) windows.add(window);
  }
  return { heads, windows, raw };
}

function partsOf(type: string, value: unknown): string[] {
  return isObject(value) ? (PARTS[type] ?? []).flatMap((part) => texts(value[part])) : [];
}

function fullName(value: unknown): string[] {
  if (!isObject(value) || value.text !== undefined) return [];
  return [FULL_NAME.flatMap((part) => texts(value[part])).join(' ')];
}

function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === 'string');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}
