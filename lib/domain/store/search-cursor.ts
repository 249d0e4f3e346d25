import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import type { Sort } from '#lib/protocol/fhir/search/parse-search.ts';

/** One key of an order, as SQL. `type` is that of its values. */
export type OrderKey = {
  value: SQL;
  descending: boolean;
  type: 'text' | 'timestamptz';
  /** Every row has one: then nothing is said of those that have none, which no index would fit. */
  isInRow: boolean;
};

/** Where a page ended: the values of its last row, in the order of the keys, as PostgreSQL's texts. */
export type Place = { values: (string | null)[]; id: string };

const PURPOSE = 'search-cursor';

/** Opaque, since it holds values of a resource, and URLs are logged. Good for the same type in the same order. */
export function formatCursor(type: string, sort: Sort[], { values, id }: Place): string {
  return seal(PURPOSE, JSON.stringify([orderName(type, sort), values, id]));
}

/** Throws 400 for what `formatCursor` has not made, or not for this order. */
export function parseCursor(type: string, sort: Sort[], text: string): Place {
  const [order, values, id] = opened(text);
  if (order !== orderName(type, sort) || !isFhirId(id)) {
    throw new AppError('invalid', '_cursor is not of this search: start again without it', { expression: '_cursor' });
  }
  return { values: values as Place['values'], id };
}

function opened(text: string): unknown[] {
  try {
    return JSON.parse(unseal(PURPOSE, text));
  } catch {
    return [];
  }
}

function orderName(type: string, sort: Sort[]): string {
  return [type, ...sort.map(({ param, descending }) => `${descending ? '-' : ''}${param.code}`)].join(' ');
}

/** The rows that come after the place, missing values last and the id at the end: what ORDER BY says, as a condition. */
export function isAfter(keys: OrderKey[], { values, id }: Place): SQL {
  const cases: SQL[] = [];
  const equal: SQL[] = [];
  for (const [at, { value, descending, type }] of keys.entries()) {
    const last = values[at] ?? null;
    if (last === null) {
      equal.push(sql`${value} is null`);
      continue;
    }
    const bound = sql`${last}::${sql.raw(type)}`;
    cases.push(all([...equal, sql`(${value} ${sql.raw(descending ? '<' : '>')} ${bound} or ${value} is null)`]));
    equal.push(sql`${value} = ${bound}`);
  }
  cases.push(all([...equal, sql`r.id > ${id}`]));
  return sql`(${sql.join(cases, sql.raw(' or '))})`;
}

function all(parts: SQL[]): SQL {
  return sql`(${sql.join(parts, sql.raw(' and '))})`;
}
