import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { seeded } from '#scripts/scale/seeded.ts';
import { callFhir } from '../fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '../fhir/fhir-project.ts';
import { makeCorpus, pick, type Random } from './corpus.ts';
import { readBundles } from './read-bundles.ts';

drawsItsQuestions();

/** ORACLE_SEED=… asks again what a failure has named, though not what others write at the same instant; ORACLE_WALKS walks so often. */
const { ORACLE_SEED, ORACLE_WALKS } = process.env;
const SEED = Number(ORACLE_SEED ?? randomInt(1_000_000));
const RESOURCES = 60;
const WALKS = Number(ORACLE_WALKS ?? 8);
const SORTS = ['', '_lastUpdated', '-_lastUpdated', '_id', 'date', '-date', 'code', '-value-quantity', 'subject,-date'];

type Staying = { id: string; body: Resource };

test(`while others write, a walk over all pages meets once each that stays, seed ${SEED}`, async () => {
  const random = seeded(SEED);
  const { admin } = await makeFhirProject();
  const corpus = makeCorpus(random, RESOURCES * 4).filter(({ resourceType }) => resourceType === 'Observation');
  const staying: Staying[] = [];
  for (const body of corpus.slice(0, RESOURCES)) staying.push({ id: await create(admin, body), body });
  const stays = staying.map(({ id }) => id);
  for (let n = 0; n < WALKS; n += 1) {
    const sort = pick(random, SORTS);
    const count = pick(random, ['1', '3', '7']);
    const said = `seed ${SEED}: Observation?_sort=${sort}&_count=${count}`;
    const writing = startWriting(seeded(SEED + n), admin, corpus, isByTime(sort) ? [] : staying);
    try {
      const params: [string, string][] = [...(sort ? [['_sort', sort] as [string, string]] : []), ['_count', count]];
      const found = (await readBundles(admin, 'Observation', params, said)).flatMap(({ matches }) => matches);
      const met = found.filter((id) => stays.includes(id));
      expect(met.toSorted(), said).toEqual(stays.toSorted());
    } finally {
      expect(await writing.stop(), 'others have written').toBeGreaterThan(0);
    }
  }
}, 300_000);

/** What is changed goes to another place: once more there, or no more. */
function isByTime(sort: string): boolean {
  return sort === '' || sort.endsWith('_lastUpdated');
}

/** Others come, are changed and go, and these get notes, as long as nobody stops it; how many requests that were. */
function startWriting(
  random: Random,
  caller: Caller,
  corpus: readonly Resource[],
  staying: readonly Staying[],
): { stop(): Promise<number> } {
  let isOver = false;
  const write = async () => {
    const passing: string[] = [];
    let requests = 0;
    // Where changes come last, a walk would not end if they came faster than its pages.
    for (; !isOver; requests += 1) {
      const act = passing.length < 5 ? 'POST' : pick(random, ['POST', 'PUT', 'DELETE', 'note']);
      const body = pick(random, corpus);
      if (act === 'POST') passing.push(await create(caller, body));
      else if (act === 'PUT') await send(caller, 'PUT', pick(random, passing), body);
      else if (act === 'DELETE') await send(caller, 'DELETE', passing.shift()!);
      else if (staying.length > 0) {
        const { id, body: before } = pick(random, staying);
        await send(caller, 'PUT', id, { ...before, note: [{ text: `Note ${requests}` }] } as Resource);
      }
      await new Promise((done) => setTimeout(done, 20));
    }
    for (const id of passing) await send(caller, 'DELETE', id);
    return requests;
  };
  const written = write();
  return {
    stop: () => {
      isOver = true;
      return written;
    },
  };
}

async function create(caller: Caller, body: Resource): Promise<string> {
  const made = await callFhir(caller, 'POST', 'Observation', { body });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function send(caller: Caller, method: string, id: string, body?: Resource): Promise<void> {
  const answer = await callFhir(caller, method, `Observation/${id}`, body && { body: { ...body, id } });
  expect(answer.status, answer.text).toBeLessThan(300);
}
