import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { seeded } from '#scripts/scale/seeded.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { pick, type Random } from './corpus.ts';
import { compare, type SortKey } from './judge-order.ts';
import { makeLinkedCorpus } from './linked-corpus.ts';
import { usedOf } from './queries.ts';
import { readBundles } from './read-bundles.ts';
import type { Official } from './read-values.ts';
import { store } from './world.ts';

drawsItsQuestions();

/** ORACLE_SEED=… asks again what a failure has named; ORACLE_QUERIES asks so many. */
const { ORACLE_SEED, ORACLE_QUERIES } = process.env;
const SEED = Number(ORACLE_SEED ?? randomInt(1_000_000));
const RESOURCES = 100;
const QUERIES = Number(ORACLE_QUERIES ?? 80);
/** What consists of parts has no order, nor has a place. */
const UNSORTED = new Set(['composite', 'special']);

test(`_sort puts into order by each type of parameter, both ways, seed ${SEED}`, async () => {
  const random = seeded(SEED);
  const { projectId, admin } = await makeFhirProject();
  const world = makeLinkedCorpus(random, RESOURCES);
  await store(projectId, world);
  for (let n = 0; n < QUERIES; n += 1) {
    const { resourceType: type } = pick(random, world);
    const sortable = usedOf(type, world).filter((param) => !UNSORTED.has(param.type));
    const keys = makeKeys(random, sortable);
    const sort = keys.map(({ code, descending }) => `${descending ? '-' : ''}${code}`).join(',');
    const said = `seed ${SEED}: ${type}?_sort=${sort}`;
    const own = world.filter(({ resourceType }) => resourceType === type);
    const wanted = own.toSorted((a, b) => compare(a, b, keys)).map(({ id }) => id);
    const count = pick(random, ['3', '50']);
    const pages = await readBundles(
      admin,
      type,
      [
        ['_sort', sort],
        ['_count', count],
      ],
      said,
    );
    expect(
      pages.flatMap(({ matches }) => matches),
      `${said} by ${count}`,
    ).toEqual(wanted);
  }
}, 300_000);

/** One or two, of different parameters, and of each type as often. */
function makeKeys(random: Random, sortable: readonly Official[]): SortKey[] {
  const codes = Array.from({ length: random() < 0.5 ? 2 : 1 }, () => {
    const type = pick(random, [...new Set(sortable.map((param) => param.type))]);
    return pick(
      random,
      sortable.filter((param) => param.type === type),
    ).code;
  });
  return [...new Set(codes)].map((code) => ({ code, descending: random() < 0.5 }));
}
