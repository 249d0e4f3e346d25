import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { seeded } from '#scripts/scale/seeded.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { pick } from './corpus.ts';
import { judgeLinked, nameOf, valuesOf } from './judge-linked.ts';
import { makeLinkedCorpus } from './linked-corpus.ts';
import { makeLinked } from './linked-queries.ts';
import { readBundles } from './read-bundles.ts';
import { store } from './world.ts';

drawsItsQuestions();

/** ORACLE_SEED=… asks again what a failure has named; ORACLE_QUERIES asks so many. */
const { ORACLE_SEED, ORACLE_QUERIES } = process.env;
const SEED = Number(ORACLE_SEED ?? randomInt(1_000_000));
const RESOURCES = 100;
const QUERIES = Number(ORACLE_QUERIES ?? 80);

test(`chains and _has find what one reference after the other leads to, seed ${SEED}`, async () => {
  const random = seeded(SEED);
  const { projectId, admin } = await makeFhirProject();
  const world = makeLinkedCorpus(random, RESOURCES);
  await store(projectId, world);
  let hits = 0;
  for (let n = 0; n < QUERIES; n += 1) {
    const { resourceType: type } = pick(random, world);
    const drawn = [makeLinked(random, world, type, 2), random() < 0.2 ? makeLinked(random, world, type, 1) : undefined];
    const asked = drawn.filter((one) => one !== undefined);
    const params = asked.map((one): [string, string] => [nameOf(one), valuesOf(one).join(',')]);
    const said = `seed ${SEED}: ${type}?${params.map((pair) => pair.join('=')).join('&')}`;
    const fits = (resource: Resource) => asked.every((one) => judgeLinked(world, resource, one));
    const wanted = world.filter((resource) => resource.resourceType === type && fits(resource)).map(({ id }) => id);
    const pages = await readBundles(admin, type, [...params, ['_count', random() < 0.3 ? '3' : '50']], said);
    expect(pages.flatMap(({ matches }) => matches).toSorted(), said).toEqual(wanted.toSorted());
    hits += wanted.length > 0 ? 1 : 0;
  }
  expect(hits, 'questions that find something').toBeGreaterThan(QUERIES / 4);
}, 300_000);
