import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { seeded } from '#scripts/scale/seeded.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { pick, type Random } from './corpus.ts';
import { type Brought, judgeIncluded, nameOfBrought, valueOfBrought } from './judge-included.ts';
import { makeLinkedCorpus } from './linked-corpus.ts';
import { referencesOf } from './linked-queries.ts';
import { readBundles } from './read-bundles.ts';
import { store } from './world.ts';

drawsItsQuestions();

/** ORACLE_SEED=… asks again what a failure has named; ORACLE_QUERIES asks so many. */
const { ORACLE_SEED, ORACLE_QUERIES } = process.env;
const SEED = Number(ORACLE_SEED ?? randomInt(1_000_000));
const RESOURCES = 80;
const QUERIES = Number(ORACLE_QUERIES ?? 60);

test(`a page brings along what its matches refer to, and what refers to them, seed ${SEED}`, async () => {
  const random = seeded(SEED);
  const { projectId, admin } = await makeFhirProject();
  const world = makeLinkedCorpus(random, RESOURCES);
  await store(projectId, world);
  const codesOf = (type: string) => referencesOf(world, type).map(({ param }) => param.code);
  const byId = new Map(world.map((resource) => [resource.id, resource]));
  let hits = 0;
  for (let n = 0; n < QUERIES; n += 1) {
    const { resourceType: type } = pick(random, world);
    const asked = Array.from({ length: 1 + Math.floor(random() * 3) }, () => makeBrought(random, world, type));
    const some = asked.filter((one) => one !== undefined);
    const params = some.map((one): [string, string] => [nameOfBrought(one), valueOfBrought(one)]);
    const said = `seed ${SEED}: ${type}?${params.map((pair) => pair.join('=')).join('&')}`;
    const pages = await readBundles(admin, type, [...params, ['_count', pick(random, ['1', '3', '50'])]], said);
    for (const { matches, included } of pages) {
      const wanted = judgeIncluded(world, resourcesOf(matches, byId), some, codesOf);
      expect(included.toSorted(), `${said}, with ${matches}`).toEqual(wanted.toSorted());
      hits += wanted.length > 0 ? 1 : 0;
    }
    const all = world.filter(({ resourceType }) => resourceType === type).map(({ id }) => id);
    expect(pages.flatMap(({ matches }) => matches).toSorted(), said).toEqual(all.toSorted());
  }
  expect(hits, 'pages that bring something along').toBeGreaterThan(QUERIES / 4);
}, 300_000);

function resourcesOf(ids: string[], byId: ReadonlyMap<string | undefined, Resource>): Resource[] {
  return ids.map((id) => byId.get(id)!);
}

/** One that is about the type, or, of those with :iterate, about any. */
function makeBrought(random: Random, world: readonly Resource[], type: string): Brought | undefined {
  const isIterated = random() < 0.4;
  const types = [...new Set(world.map(({ resourceType }) => resourceType as string))];
  const all = types.flatMap((source) => referencesOf(world, source).map((one) => ({ source, ...one })));
  const kind = pick(random, ['_include', '_revinclude'] as const);
  const near = all.filter(({ source, types: to }) => {
    return isIterated || (kind === '_include' ? source === type : to.includes(type));
  });
  if (near.length === 0) return undefined;
  const { source, param, types: to } = pick(random, near);
  const isWild = random() < 0.15;
  const target = kind === '_revinclude' && !isIterated ? type : pick(random, to);
  return {
    kind,
    source,
    code: isWild ? '*' : param.code,
    ...(random() < 0.3 && { target }),
    ...(isIterated && { iterate: true as const }),
  };
}
