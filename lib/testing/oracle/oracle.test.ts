import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { knowParams } from '#lib/domain/store/own-params/know-params.ts';
import { searchRows } from '#lib/domain/store/search-rows.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { seeded } from '#scripts/scale/seeded.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { addParam, indexed, searchParameter } from '../fhir/own-params.ts';
import { makeCorpus, type Random } from './corpus.ts';
import { datesOf, judge, measureOf } from './judge.ts';
import { OWN_PARAMS } from './own-params.ts';
import { makeQuery, type Query } from './queries.ts';
import { officialsOf, readValues } from './read-values.ts';
import { type Stored, store } from './world.ts';

drawsItsQuestions();

/** ORACLE_SEED=… asks again what a failure has named; ORACLE_QUERIES asks so many. */
const { ORACLE_SEED, ORACLE_QUERIES } = process.env;
const SEED = Number(ORACLE_SEED ?? randomInt(1_000_000));
const RESOURCES = 120;
/** Each is about one SQL text, of which the suite has only so many. */
const QUERIES = Number(ORACLE_QUERIES ?? 120);

test(`searches find what HL7's own expressions and a plain reading of R4 find, seed ${SEED}`, async () => {
  const random = seeded(SEED);
  const { projectId, admin } = await makeFhirProject();
  const made = makeCorpus(random, RESOURCES);
  const before = await store(projectId, made.slice(0, RESOURCES / 2));
  for (const [base, code, type, expression] of OWN_PARAMS)
    await addParam(admin, searchParameter(base, code, type, expression));
  const stored = [...before, ...(await store(projectId, made.slice(RESOURCES / 2)))];
  await indexed(projectId);
  await knowParams(projectId);
  const corpus = stored.map(({ resource }) => resource);
  for (let n = 0; n < QUERIES; n += 1) await requireSame(projectId, stored, makeQuery(random, corpus), random);
}, 300_000);

async function requireSame(projectId: string, stored: Stored[], query: Query, random: Random): Promise<void> {
  const { type, asked, sort } = query;
  const params = asked.map(({ code, modifier, values }): [string, string] => {
    return [modifier ? `${code}:${modifier}` : code, values.join(',')];
  });
  const order: [string, string][] = sort ? [['_sort', sort]] : [];
  const said = `seed ${SEED}: ${type}?${[...params, ...order].map((pair) => pair.join('=')).join('&')}`;
  const wanted = stored.filter(({ resource }) => {
    return resource.resourceType === type && asked.every((one) => judge(resource, one));
  });
  const found = await readPages(projectId, type, [...params, ...order], random() < 0.3 ? 3 : 50);
  expect(found.toSorted(), said).toEqual(wanted.map(({ id }) => id).toSorted());
  if (sort)
    requireOrder(
      found.map((id) => stored.find((one) => one.id === id)!.resource),
      sort,
      said,
    );
}

/** Page after page, by their cursors. */
async function readPages(
  projectId: string,
  type: string,
  params: [string, string][],
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const place: [string, string][] = cursor ? [['_cursor', cursor]] : [];
    const query = parseSearch(type, [...params, ['_count', String(count)], ...place], projectId);
    const { rows, next } = await searchRows(projectId, query, { op: 'all' });
    ids.push(...rows.map(({ id }) => id));
    cursor = next;
  } while (cursor);
  return ids;
}

/** The smallest value when ascending, the largest when descending, and last what has none. */
function requireOrder(resources: Resource[], sort: string, said: string): void {
  const [, minus, code] = /^(-?)(.*)$/.exec(sort)!;
  const keys = resources.map((resource) => {
    const { expression, type } = officialsOf(resource.resourceType).find((known) => known.code === code)!;
    const toRange = type === 'date' ? datesOf : measureOf;
    const ranges = readValues(expression, resource).flatMap((item) => toRange(item) ?? []);
    if (ranges.length === 0) return undefined;
    return minus ? Math.max(...ranges.map(({ hi }) => hi)) : Math.min(...ranges.map(({ lo }) => lo));
  });
  const known = keys.filter((key) => key !== undefined);
  expect(keys.slice(0, known.length), `${said}: missing values last`).toEqual(known);
  // Descending, the beginning of a type's own date counts, and not its end: of that this reading knows nothing.
  if (!minus) expect(known, said).toEqual(known.toSorted((a, b) => a - b));
}
