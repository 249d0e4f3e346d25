import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { TEXT_SEARCH } from '#lib/protocol/text-search.ts';
import { costOf } from '#scripts/bench/grow/buffers.ts';
import { loadProject } from '#scripts/bench/grow/load-project.ts';
import { growRequests, wordRequests } from '#scripts/bench/grow/requests.ts';
import { openClinics } from '#scripts/bench/sizes/load-clinic.ts';
import { callApi } from '../call-api.ts';
import { indexed } from '../fhir/own-params.ts';
import { OWNER_URL } from '../set-up/own-db.ts';
import { createWorld } from '../world.ts';

const SIZE = 100_000;
/** In the same tables, fifty others': among so many the planner thinks that each has few. */
const OF_OTHERS = 20_000;
/** Pages of 8 KiB that PostgreSQL looks at for an answer of a page, in a project of a hundred thousand resources. */
const MOST: Record<string, number> = {
  'Read a patient': 8,
  'Patient by identifier': 15,
  'Patients, newest': 50,
  'Patients by a frequent name': 250,
  'Patients by a rare name': 25,
  'Patients by birth date': 60,
  'Observations of a patient': 30,
  '… from a day on, by date': 40,
  '… how many there are': 30,
  'Observations by date': 60,
  '… of one month': 40,
  '… of one month, oldest first': 50,
  '… of one code': 1500,
  '… of one code, by date': 2500,
  '… of a common status': 60,
  '… of a frequent value': 700,
  '… of a rare value': 100,
  '… of a rare value of one code': 100,
  '… of a patient, by code': 60,
  'History of observations': 150,
  // Each of 150 types is looked up.
  'History of all': 1800,
  'Observations as they were': 300,
  'Observations by their patient’s identifier': 30,
  '… by their patient’s rare name': 50,
  '… by a frequent one': 1000,
  '… by a common gender, by date': 600,
  'Patients who have an observation of one code': 2500,
  '… who have one of a common status': 2500,
  '… who have one of a day': 400,
  'Observations in a compartment': 40,
  'All in a compartment': 350,
  $everything: 350,
  'Two types': 100,
  'Observations with all that they refer to': 160,
  'Patients with all that refers to them': 3000,
  'Patients by a rare word': 25,
  '… by a frequent word': 400,
  '… by a rare word or two frequent ones': 400,
  '… by a phrase': 60,
  '… by a phrase that nobody has': 400,
  'Observations by a word of all': 300,
  '… by a word of some, and how many': 100,
  '… by a word of their patient': 60,
  Members: 50,
  '… with their number': 60,
  '… as the console shows them': 120,
  '… by name, last first': 30,
  Overview: 700,
  Invitations: 330,
  '… that are open': 330,
  Audit: 250,
  '… of one actor': 340,
  '… of one action': 270,
  '… of a kind of action': 360,
  '… of one record': 20,
  // Each with the membership that it runs by.
  Bots: 200,
};

test('what a request costs PostgreSQL follows from its answer, not from how much there is in the project, and reads no table from end to end', async () => {
  await startInvalidation();
  const world = await createWorld();
  const { projectId, owner } = world;
  await world.call('POST', '/settings', { body: [{ name: TEXT_SEARCH, valueBoolean: true }] });
  await indexed(projectId);
  await openClinics(OWNER_URL, randomUUID()).growTo(OF_OTHERS);
  const loaded = await loadProject(OWNER_URL, projectId, SIZE);
  const found: Record<string, number> = {};
  const scanned: Record<string, string[]> = {};
  for (const { name, path } of [...growRequests(projectId, loaded), ...wordRequests()]) {
    const ask = async () => expect([path, (await callApi(owner.bearer, 'GET', path)).status]).toEqual([path, 200]);
    // The first fills caches; with the second it is found out which way is short, once a minute, and the third goes it.
    for (let time = 0; time < 3; time += 1) await ask();
    const cost = await costOf(ask);
    found[name] = cost.buffers;
    if (cost.scanned.length > 0) scanned[name] = cost.scanned;
  }
  await stopInvalidation();
  const tooMany = Object.entries(found).filter(([name, buffers]) => !(buffers <= MOST[name]!));
  expect(tooMany).toEqual([]);
  expect(scanned).toEqual({});
}, 600_000);
