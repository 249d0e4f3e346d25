import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Sort } from '#lib/protocol/fhir/search/parse-search.ts';

/** One key of an order, as SQL. `type` is that of its values. */
export type OrderKey = {
  value: SQL;
  descending: boolean;
  type: 'text' | 'timestamptz' | 'float8';
  /** Every row has one: then nothing is said of those that have none, which no index would fit. */
  isThere: boolean;
  /** What is read of a row tells it. */
  isInRow: boolean;
};

/** Where a page ended: the values of its last row, in the order of the keys, as PostgreSQL's texts. */
export type Place = { values: (string | null)[]; id: string };

const PURPOSE = 'search-cursor';

/**
 * Sealed where it holds values of a resource: URLs are logged. Ids and times of change are in URLs and answers anyway, and to seal takes longer
 * than all else of a page. Good for the same type in the same order; a place tells nothing, and is in nobody's project.
 */
export function formatCursor(type: string, sort: Sort[], { values, id }: Place): string {
  const text = JSON.stringify([orderName(type, sort), values, id]);
  return sort.every(isInRow) ? Buffer.from(text).toString('base64url') : seal(PURPOSE, text);
}

/** Throws 400 for what `formatCursor` has not made, or not for this order. */
export function parseCursor(type: string, sort: Sort[], text: string): Place {
  const plain = sort.every(isInRow);
  const [order, values, id] = opened(text, plain);
  if (order !== orderName(type, sort) || !isFhirId(id) || (plain && !isPlace(values, sort))) {
    throw new AppError('invalid', '_cursor is not of this search: start again without it', { expression: '_cursor' });
  }
  return { values: values as Place['values'], id };
}

/** Whether every row tells its value of this key by itself. */
export function isInRow(key: Sort): boolean {
  return key.param.code === '_id' || key.param.code === '_lastUpdated';
}

function opened(text: string, plain: boolean): unknown[] {
  try {
    const found = JSON.parse(plain ? decode(text) : unseal(PURPOSE, text));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Decoding passes over what is no base64, and over a last character that makes no byte. */
function decode(text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes.toString() : '';
}

/** Ids, and times as PostgreSQL writes them: what anybody could have made must be something that it can read. */
function isPlace(values: unknown, sort: Sort[]): boolean {
  const are = sort.length === 0 ? [isInstant] : sort.map(({ param }) => (param.code === '_id' ? isFhirId : isInstant));
  return Array.isArray(values) && values.length === are.length && are.every((is, at) => is(values[at]));
}

function isInstant(value: unknown): boolean {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/.exec(String(value)) ?? [];
  const at = new Date(`${day}T${time}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(`${day}T${time}`);
}

function orderName(type: string, sort: Sort[]): string {
  return [type, ...sort.map(({ param, descending }) => `${descending ? '-' : ''}${param.code}`)].join(' ');
}

/**
 * The rows that come after the place, missing values last and the id at the end: what ORDER BY says, as a condition. Of a first key that every
 * row has, the bound stands once more by itself, so that an index begins there and not at the first page.
 */
export function isAfter(keys: OrderKey[], { values, id }: Place): SQL {
  const cases: SQL[] = [];
  const equal: SQL[] = [];
  const begin: SQL[] = [];
  for (const [at, { value, descending, type, isThere }] of keys.entries()) {
    const last = values[at] ?? null;
    if (last === null) {
      equal.push(sql`${value} is null`);
      continue;
    }
    const bound = sql`${last}::${sql.raw(type)}`;
    const beyond = sql`${value} ${sql.raw(descending ? '<' : '>')} ${bound}`;
    if (at === 0 && isThere) begin.push(sql`${value} ${sql.raw(descending ? '<=' : '>=')} ${bound}`);
    cases.push(all([...equal, isThere ? beyond : sql`(${beyond} or ${value} is null)`]));
    equal.push(sql`${value} = ${bound}`);
  }
  cases.push(all([...equal, sql`r.id > ${id}`]));
  return all([...begin, sql`(${sql.join(cases, sql.raw(' or '))})`]);
}

function all(parts: SQL[]): SQL {
  return sql`(${sql.join(parts, sql.raw(' and '))})`;
}
