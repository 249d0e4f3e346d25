import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Indexed } from '../create-row.ts';
import { toQuantities } from '../indexes/quantity-params.ts';
import { INSERTED_TOGETHER, MEASURED_TOGETHER, WORDED_TOGETHER } from '../statements.ts';
import { toWordRows } from '../words/word-rows.ts';

/** What stores new rows of one project: parts of a WITH, and their parameters. */
export function insertMany(items: readonly Indexed[]): { parts: string; params: unknown[] } {
  const params = paramsOfNew(items);
  const hasWords = items.some(({ index }) => index.words().length > 0);
  if (hasWords) return { parts: WORDED_TOGETHER, params: [...params, quantitiesOf(items), wordsOfEach(items)] };
  const hasNumbers = items.some(({ index }) => index.quantities.length > 0);
  return hasNumbers
    ? { parts: MEASURED_TOGETHER, params: [...params, quantitiesOf(items)] }
    : { parts: INSERTED_TOGETHER, params };
}

/** The rows of ix_words. */
export function wordsOfEach(items: readonly Indexed[]): string {
  return toWordRows(
    items[0]!.row.projectId,
    items.map(({ row: { id }, index }) => ({ id, words: index.words() })),
  );
}

/** The rows of ix_quantity. */
export function quantitiesOf(items: readonly Indexed[]): string {
  return toQuantities(items.map(({ row: { id }, index }) => ({ id, quantities: index.quantities })));
}

/** The parameters of INSERTED_TOGETHER. All rows are of one project. */
function paramsOfNew(items: readonly Indexed[]): unknown[] {
  const rows = items.map(({ row }) => row);
  return [
    rows[0]!.projectId,
    toArray(rows.map(({ type }) => typeId(type))),
    toIds(rows.map(({ id }) => id)),
    ...paramsOfRows(items),
    ...paramsOfIndex(items),
  ];
}

/** $3 to $17 of `updatedTogether`: of each row its next version. */
export function paramsOfNext(items: readonly Indexed[]): unknown[] {
  return [toArray(items.map(({ row }) => row.version)), ...paramsOfRows(items), ...paramsOfIndex(items)];
}

/** last_updated, author, meta, content, tokens, sort_date, sort_end. */
function paramsOfRows(items: readonly Indexed[]): unknown[] {
  const texts = (of: (item: Indexed) => string | null) => toTextArray(items.map(of));
  return [
    toArray(items.map(({ row }) => row.lastUpdated.toISOString())),
    texts(({ row }) => row.author),
    texts(({ row }) => row.meta),
    texts(({ row }) => row.content),
    texts(({ index }) => `{${index.tokens.join(',')}}`),
    toArray(items.map(({ index }) => index.sortDate?.toISOString() ?? 'NULL')),
    toArray(
      items.map(({ index: { sortDate, sortEnd } }) => (sortDate ? (sortEnd?.toISOString() ?? 'infinity') : 'NULL')),
    ),
  ];
}

/** Of each string id, param, value; of each date id, param, lo, hi. */
function paramsOfIndex(items: readonly Indexed[]): unknown[] {
  const strings = items.flatMap(({ row, index }) => index.strings.map((string) => ({ id: row.id, ...string })));
  const dates = items.flatMap(({ row, index }) => index.dates.map((date) => ({ id: row.id, ...date })));
  return [
    toIds(strings.map(({ id }) => id)),
    toArray(strings.map(({ param }) => param)),
    toTextArray(strings.map(({ value }) => value)),
    toIds(dates.map(({ id }) => id)),
    toArray(dates.map(({ param }) => param)),
    toArray(dates.map(({ lo }) => lo.toISOString())),
    toArray(dates.map(({ hi }) => hi.toISOString())),
  ];
}

/** Of what needs no quotes. */
export function toArray(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}

/** An id may be the word by which an array says that there is none. */
export function toIds(ids: readonly string[]): string {
  return toArray(ids.map((id) => (id.toUpperCase() === 'NULL' ? `"${id}"` : id)));
}
