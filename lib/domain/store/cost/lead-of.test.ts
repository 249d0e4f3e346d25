import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { and, type Expr } from '#lib/protocol/fhir/search/ir.ts';
import { compileFilter } from '../compile-filter.ts';

const has = (value: string): Expr => ({ op: 'string', param: 1, values: [{ value, mode: 'contains' }] });
const begins = (value: string): Expr => ({ op: 'string', param: 1, values: [{ value, mode: 'prefix' }] });
const token: Expr = { op: 'token', anyOf: [1n], selective: false };
const not = (arg: Expr): Expr => ({ op: 'not', arg });
const or = (...args: Expr[]): Expr => ({ op: 'or', args });

/** `fetched`: conditions for which all that fits is fetched. Each more of these would be compared with all of the others, the square of a project. */
test.each<[string, Expr, { fetched: number; asked: number }]>([
  ['one text', has('a'), { fetched: 1, asked: 0 }],
  ['a text and a code', and([has('a'), token]), { fetched: 1, asked: 0 }],
  ['what is not', not(has('a')), { fetched: 0, asked: 1 }],
  ['none of two', not(or(has('a'), has('b'))), { fetched: 0, asked: 2 }],
  ['one of two that an index finds', or(has('a'), begins('b'), token), { fetched: 2, asked: 0 }],
  ['one of two, of which no index finds one', or(has('a'), not(token)), { fetched: 0, asked: 1 }],
  ['two texts', and([has('a'), has('b')]), { fetched: 1, asked: 1 }],
  ['two beginnings, of which one was found to be rare', and([begins('a'), begins('b')]), { fetched: 2, asked: 0 }],
  ['two beginnings, and one of two codes', and([begins('a'), begins('b'), or(token, token)]), { fetched: 2, asked: 0 }],
  ['a text, and one of two', and([has('a'), or(has('b'), has('c'))]), { fetched: 1, asked: 2 }],
])('what may be a great deal is fetched once at most, and rows are asked for the rest: %s', (_, filter, wanted) => {
  const text = new PgDialect().sqlToQuery(
    compileFilter({ projectId: 'p', type: 'Patient', correlated: false }, filter),
  ).sql;
  const count = (part: string) => text.split(part).length - 1;
  expect({ fetched: count('any(array(select'), asked: count('coalesce((select true from') }).toEqual(wanted);
});
