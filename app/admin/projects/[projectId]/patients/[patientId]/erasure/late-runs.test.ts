import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { runErasures } from '#lib/domain/record-erasure/run-erasures.ts';
import { stopAsyncJobs } from '#lib/domain/runs/async-jobs.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { CTX } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

afterAll(stopRunner);

/** Until it is let go on, by a record of its own project. */
const WAITS = `export async function handler(medplum, event) {
  await medplum.createResource({ resourceType: 'Basic', code: { text: 'begun' } });
  console.log(JSON.stringify(event.input));
  while (!(await medplum.searchOne('Basic', { code: 'go' }))) await new Promise((resolve) => setTimeout(resolve, 100));
  return event.input;
}`;

test('what runs and jobs that were under way say of a patient at their end is kept no more than what was said before', async () => {
  const world = await createWorld();
  const { projectId, owner } = world;
  await world.call('POST', '/settings', { body: [{ name: 'recordErasure', valueBoolean: true }] });
  const post = (type: string, body: object) =>
    callApi(owner.bearer, 'POST', `/fhir/R4/${type}`, { body: { resourceType: type, ...body } });
  const patient = (await post('Patient', { name: [{ family: 'Okonjo' }] })).body.id;
  const bot = await deployedBot(world, WAITS, { timeout: 60 });
  const execute = (body: unknown, headers: Record<string, string> = {}) =>
    callApi(owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, {
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const named = { of: `Patient/${patient}`, family: 'Okonjo' };
  const runs = [execute(named), execute({ of: 'somebody', family: 'Adeyemi' })];
  const job = await execute(named, { prefer: 'respond-async' });
  expect(job.status, job.text).toBe(202);
  const begun = async () => (await callApi(owner.bearer, 'GET', '/fhir/R4/Basic?_total=accurate')).body.total;
  await expect.poll(begun, { timeout: 20_000 }).toBe(3);

  const asked = await world.call('POST', `/patients/${patient}/erasure`, {
    body: { confirm: patient, reason: 'Asked' },
  });
  expect(asked.status, asked.text).toBe(202);
  const state = async () => {
    await runErasures(CTX);
    return (await callApi(owner.bearer, 'GET', asked.headers.get('location')!)).body.state;
  };
  await expect.poll(state, { timeout: 20_000 }).toBe('done');

  await post('Basic', { code: { coding: [{ code: 'go' }] } });
  for (const { status, text } of await Promise.all(runs)) expect(status, text).toBe(200);
  await stopAsyncJobs();
  await flushRuns();
  const kept = await db().select().from(botRun).where(eq(botRun.projectId, projectId));
  expect(kept).toHaveLength(3);
  expect(JSON.stringify(kept)).not.toContain('Okonjo');
  expect(JSON.stringify(kept)).toContain('Adeyemi');
  expect(await db().select().from(asyncJob).where(eq(asyncJob.projectId, projectId))).toEqual([]);
});
