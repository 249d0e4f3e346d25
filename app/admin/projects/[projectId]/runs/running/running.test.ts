import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import type { RunningRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const SLOW = `export const handler = async (m: any, e: any) => {
  await new Promise((resolve) => setTimeout(resolve, e.input.ms ?? Number(e.input)));
  return 'done';
};`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const running = async (of = world) => (await of.call('GET', '/runs/running')).body.rows;

test('a run that lasts is told while it goes on, with its bot and its caller, and to nobody once it has ended', async () => {
  const bot = await deployedBot(world, SLOW, { name: 'Slow' });
  const call = (ms: number) =>
    callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: { ms } }).then(({ status }) => status);
  const started = Date.now();
  const long = call(3500);
  expect(await call(1)).toBe(200);
  expect(await running()).toEqual([]);
  const [one, ...others] = await vi.waitFor(
    async () => {
      const rows = await running();
      expect(rows).toHaveLength(1);
      return rows;
    },
    { timeout: 30_000, interval: 50 },
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({ bot: { id: bot, name: 'Slow' }, version: 1, trigger: 'http' });
  expect(one.requester.reference).toMatch(/^Practitioner\//);
  expect(Math.abs(Date.parse(one.at) - started)).toBeLessThan(3000);
  expect(await running(await createWorld())).toEqual([]);
  expect(await long).toBe(200);
  await vi.waitFor(async () => expect(await running()).toEqual([]), { timeout: 30_000, interval: 50 });
});

test('what a process left behind that died is told until it must have ended', async () => {
  const { projectId } = world;
  const leave = (minutes: number) =>
    db().execute(sql`
      insert into bot_running (project_id, id, bot_id, version, trigger, requester, request_id, started_at, ends_by)
      values (${projectId}, ${newId()}, ${newId()}, 1, 'cron', 'Bot/x', 'r', now(), now() + ${minutes} * interval '1 minute')`);
  await leave(-1);
  expect(await running()).toEqual([]);
  await leave(1);
  const [row] = await running();
  expect(row).toMatchObject({ trigger: 'cron', bot: { name: null }, isStopping: false });
  expect((await world.call('DELETE', `/runs/running/${row.id}`)).status).toBe(204);
  expect(await running()).toMatchObject([{ id: row.id, isStopping: true }]);
});

test('only administrators of the project are told', async () => {
  const project = await makeFhirProject();
  const path = `/admin/projects/${project.projectId}/runs/running`;
  expect((await callApi(project.admin.authorization, 'GET', path)).body).toEqual({ rows: [] });
  expectOutcome(await callApi((await project.member()).authorization, 'GET', path), 403);
  expectOutcome(await callApi(world.owner.bearer, 'GET', path), 403);
  expectOutcome(await callApi(undefined, 'GET', path), 401);
});

test('an administrator ends a run that goes on: here at once, elsewhere when its process looks; nobody else does', async () => {
  const bot = await deployedBot(world, SLOW, { name: 'Stuck', timeout: 60 });
  const call = () => callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: { ms: 50_000 } });
  const began = (known?: string) =>
    vi.waitFor(
      async () => {
        const rows = (await running()).filter((run: RunningRun) => run.bot.name === 'Stuck' && run.id !== known);
        expect(rows).toHaveLength(1);
        return rows[0];
      },
      { timeout: 30_000, interval: 50 },
    );
  const stuck = call();
  const one = await began();
  const other = await createWorld();
  expectOutcome(await other.call('DELETE', `/runs/running/${one.id}`), 404);
  expectOutcome(await world.call('DELETE', `/runs/running/${newId()}`), 404);
  const project = await makeFhirProject();
  const path = `/admin/projects/${project.projectId}/runs/running/${one.id}`;
  expectOutcome(await callApi((await project.member()).authorization, 'DELETE', path), 403);
  expectOutcome(await callApi(project.admin.authorization, 'DELETE', path), 404);
  const answers = await Promise.all([1, 2, 3].map(() => world.call('DELETE', `/runs/running/${one.id}`)));
  // It may have ended before the last of them came.
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toContain(204);
  expect(statuses.every((status) => status === 204 || status === 404)).toBe(true);
  const told = async (answer: ReturnType<typeof call>) => [
    (await answer).status,
    (await answer).body.issue[0].details.text,
  ];
  expect(await told(stuck)).toEqual([400, 'An administrator stopped this run']);
  const { body } = await world.call('GET', `/audit?action=bot.run.stop`);
  expect(
    body.rows.filter(({ target }: { target: { reference: string } }) => target.reference === `Bot/${bot}`),
  ).toHaveLength(1);

  // Of text nothing is shown that the bot says; that it was stopped is.
  const text = { body: '50000', headers: { 'content-type': 'text/plain' } };
  const elsewhere = callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, text);
  const { id } = await began(one.id);
  await db().execute(sql`update bot_running set stopped_by = 'Practitioner/x' where id = ${id}`);
  expect(await told(elsewhere)).toEqual([400, 'An administrator stopped this run']);
  await flushRuns();
  const { rows } = (await world.call('GET', `/runs?bot=${bot}`)).body;
  expect(rows.map(({ status, message }: Record<string, string>) => [status, message])).toEqual(
    Array(2).fill(['failed', 'An administrator stopped this run']),
  );
});
