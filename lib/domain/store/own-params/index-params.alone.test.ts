import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { readProgress } from '#lib/infra/db/upkeep.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { addParam, EXTENSION, found, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';
import { START_CTX } from '#lib/testing/world.ts';
import { write } from '../../audit/write.ts';
import { createRow } from '../create-row.ts';
import { createRows } from '../many/write-many.ts';
import { indexParams } from './index-params.ts';
import { workOf } from './settle-params.ts';

beforeAll(startInvalidation);
afterAll(stopInvalidation);

const TEAM = searchParameter('Patient', 'team', 'token', `Patient.extension('${EXTENSION}').value.ofType(Coding)`);

function patient(team: string, id = newId()): Stored<Resource> {
  return {
    resourceType: 'Patient',
    id,
    extension: [{ url: EXTENSION, valueCoding: { code: team } }],
  } as Stored<Resource>;
}

function make(caller: Caller, team: string) {
  const { id: _, ...body } = patient(team);
  return callFhir(caller, 'POST', 'Patient', { body });
}

test('what a transaction stores that began before anybody knew, and ends late, is found: nothing is ready before it', async () => {
  const { projectId, admin } = await makeFhirProject();
  const stored = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const late = write(START_CTX, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const row = await createRow(w, projectId, patient('red'), { author: undefined });
    stored.resolve();
    await letGo.promise;
    return row.id;
  });
  await stored.promise;
  await addParam(admin, TEAM);
  for (let look = 0; look < 3; look += 1) await indexParams();
  expect((await callFhir(admin, 'GET', 'Patient?team=red')).status).toBe(503);
  expect(await readProgress(workOf(projectId))).toMatchObject({ looked: 0 });
  letGo.resolve();
  const id = await late;
  await indexed(projectId);
  expect(await found(admin, 'Patient?team=red')).toEqual([id]);
});

const COLOURS = ['red', 'blue', 'green'];
/** INDEX_ROWS=10000 asks it of more. */
const STORED = Number(process.env.INDEX_ROWS ?? 2000);
const GOLD = 200;
const WRITERS = 50;
const WRITES = 8;

test('thousands are indexed while fifty write and others read: no answer lacks one, and in the end the index is what the content says', async () => {
  const { projectId, admin } = await makeFhirProject();
  const teams = Array.from({ length: STORED }, (_, n) => (n < GOLD ? 'gold' : COLOURS[n % 3]!));
  const rows = await write(START_CTX, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const all = teams.map((team) => patient(team));
    return createRows(w, projectId, all, undefined);
  });
  const truth = new Map(rows.map(({ id }, n) => [id, teams[n]!]));
  const others = [...truth].filter(([, team]) => team !== 'gold').map(([id]) => id);
  await addParam(admin, TEAM);
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let n = 0; n < WRITES && !isOver; n += 1) {
      const team = COLOURS[(writer + n) % 3]!;
      // Each has rows of its own, so that what it wrote last stands.
      const id = others[writer + WRITERS * n]!;
      if (n % 3 === 0) {
        const made = await make(admin, team);
        expect(made.status).toBe(201);
        truth.set(made.body.id, team);
      } else if (n % 7 === 6 && truth.has(id)) {
        expect((await callFhir(admin, 'DELETE', `Patient/${id}`)).status).toBe(200);
        truth.delete(id);
      } else {
        expect((await callFhir(admin, 'PUT', `Patient/${id}`, { body: patient(team, id) })).status).toBeLessThan(300);
        truth.set(id, team);
      }
    }
  });
  const seen = new Set<number>();
  const readers = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      const answer = await callFhir(admin, 'GET', 'Patient?team=gold&_summary=count');
      seen.add(answer.status);
      if (answer.status === 200) expect(answer.body.total).toBe(GOLD);
    }
  });
  await indexed(projectId, 600_000).finally(() => {
    isOver = true;
  });
  await Promise.all([...writers, ...readers]);
  expect(seen).toContain(503);
  for (const team of ['gold', ...COLOURS]) {
    const wanted = [...truth].filter(([, of]) => of === team).map(([id]) => id);
    expect((await allOf(admin, `Patient?team=${team}`)).sort()).toEqual(wanted.sort());
  }
}, 900_000);

async function allOf(caller: Caller, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = `${path}&_count=1000&_elements=id`; next; ) {
    const answer = await callFhir(caller, 'GET', next);
    expect(answer.status, answer.text).toBe(200);
    ids.push(...(answer.body.entry ?? []).map(({ resource }: { resource: { id: string } }) => resource.id));
    const link = answer.body.link.find(({ relation }: { relation: string }) => relation === 'next');
    next = link?.url.replace(/^.*\/fhir\/R4\//, '');
  }
  return ids;
}
