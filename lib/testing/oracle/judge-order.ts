import type { Resource } from '#lib/protocol/fhir/types.ts';
import { datesOf, inBaseUnits, plain, textsOf } from './judge.ts';
import { officialsOf, readValues } from './read-values.ts';

export type SortKey = { code: string; descending: boolean };
type Json = Record<string, unknown>;
type Key = string | number | undefined;

/** Of these the beginning counts either way, as docs/fhir.md says: it is the date that a type is mostly asked by. */
const OWN_DATE: Record<string, string> = {
  Condition: 'recorded-date',
  Encounter: 'date',
  Observation: 'date',
  RiskAssessment: 'date',
  ValueSet: 'date',
  Patient: 'birthdate',
};

/** Negative when the one comes before the other: missing values last either way, and the id where all is equal. */
export function compare(one: Resource, other: Resource, keys: readonly SortKey[]): number {
  for (const key of keys) {
    const [a, b] = [keyOf(one, key), keyOf(other, key)];
    if (a === b) continue;
    if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
    return (a < b ? -1 : 1) * (key.descending ? -1 : 1);
  }
  return one.id! < other.id! ? -1 : 1;
}

/** Of several values the smallest when ascending, the largest when descending. */
function keyOf(resource: Resource, { code, descending }: SortKey): Key {
  const { expression, type } = officialsOf(resource.resourceType).find((known) => known.code === code)!;
  const items = readValues(expression, resource);
  const isOwnDate = OWN_DATE[resource.resourceType] === code;
  if (type === 'date') {
    const ranges = items.flatMap((item) => datesOf(item) ?? []);
    return best(
      ranges.map(({ lo, hi }) => (descending && !isOwnDate ? hi : lo)),
      descending && !isOwnDate,
    );
  }
  if (type === 'number' || type === 'quantity') {
    const ranges = items.flatMap((item) => inBaseUnits(item) ?? []);
    return best(
      ranges.map(({ lo, hi }) => (descending ? hi : lo)),
      descending,
    );
  }
  if (type === 'string') return best(items.flatMap(textsOf).map(plain), descending);
  // What a person reads, where anything of it has such a text; else what a code is called; else the code.
  const levels = [0, 1, 2].map((level) => items.flatMap((item) => read(item, level)));
  return best(levels.find((texts) => texts.length > 0) ?? [], descending);
}

function read(item: unknown, level: number): string[] {
  if (typeof item !== 'object' || item === null) return level === 2 ? [String(item)] : [];
  const { coding, text, display, code, value, reference, type } = item as Json;
  const isNamed = reference !== undefined || value !== undefined || type !== undefined;
  const codings = Array.isArray(coding) ? (coding as Json[]) : undefined;
  const found = [
    isNamed ? [] : [text],
    isNamed ? [] : (codings ?? [{ display }]).map((one) => one.display),
    codings ? codings.map((one) => one.code) : [reference ?? value ?? code],
  ];
  return found[level]!.filter((one) => typeof one === 'string');
}

function best<T extends string | number>(values: readonly T[], descending: boolean): T | undefined {
  const [first, ...rest] = values;
  if (first === undefined) return undefined;
  return rest.reduce((so, value) => (value < so === descending ? so : value), first);
}
