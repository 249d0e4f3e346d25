import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tellAlerts } from '#lib/domain/run-log/alerts/tell-alerts.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { runText } from '#lib/infra/db/client.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const FAILS = `export async function handler(medplum, event) {
  if (event.input.fails) throw new Error('no bed for ' + event.input.fails);
}`;
const OFF = { failure: null, silentHours: null, recipients: null, failingSince: null, silentSince: null };

let world: World;
let bot: string;
beforeAll(async () => {
  world = await createWorld();
  bot = await deployedBot(world, FAILS, { name: 'Admission' });
});

const alert = (method: string, body?: unknown) => world.call(method, `/bots/${bot}/alert`, { body });
const mails = () => db().select().from(mail).where(eq(mail.projectId, world.projectId));

async function run(body: unknown): Promise<void> {
  await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body });
  await flushRuns();
}

/** As if two minutes, or so many hours, had gone by. */
async function look(hours = 0): Promise<void> {
  const text = `update bot_alert set checked_at = checked_at - interval '2 minutes', set_at = set_at - make_interval(hours => $2::int) where project_id = $1::uuid`;
  await runText(db(), text, [world.projectId, hours]);
  await tellAlerts();
}

describe('administrators are told', () => {
  test('once that a bot fails too often, and once that it does not any more, without what it was given', async () => {
    expect((await alert('GET')).body).toEqual(OFF);
    const failure = { percent: 50, hours: 24, minimum: 2 };
    const set = await alert('PUT', { failure, recipients: [world.owner.email] });
    expect(set.status, set.text).toBe(200);
    await run({ fails: 'Okonjo' });
    await look();
    expect(await mails(), 'too few runs').toHaveLength(0);
    await run({ fails: 'Okonjo' });
    await look();
    await look();
    expect(await mails()).toMatchObject([{ template: 'bot-trouble', recipient: world.owner.email }]);
    expect((await alert('GET')).body.failingSince).toMatch(/Z$/);
    for (let i = 0; i < 3; i += 1) await run({});
    await look();
    await look();
    expect((await mails()).map(({ template }) => template).toSorted()).toEqual(['bot-trouble', 'bot-well']);
    expect((await alert('GET')).body.failingSince).toBeNull();
    const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
    const told = rows.filter(({ action }) => action.startsWith('bot.alert.'));
    expect(told.map(({ action }) => action).toSorted()).toEqual([
      'bot.alert.raise',
      'bot.alert.resolve',
      'bot.alert.set',
    ]);
    expect(JSON.stringify(told)).not.toContain('Okonjo');
    expect(told.find(({ action }) => action === 'bot.alert.raise')?.after).toMatchObject({
      detail: 'in the last 24 hours 2 of 2 runs failed (100 %)',
    });
  });

  test('of silence, when no run went well for so long', async () => {
    await alert('PUT', { silentHours: 3 });
    await runText(db(), `update bot_run set started_at = started_at - interval '4 hours' where project_id = $1::uuid`, [
      world.projectId,
    ]);
    await look();
    expect((await alert('GET')).body.silentSince, 'it was set just now').toBeNull();
    await look(4);
    expect((await alert('GET')).body.silentSince).toMatch(/Z$/);
    await run({});
    await look();
    expect((await alert('GET')).body.silentSince).toBeNull();
    expect(await mails()).toHaveLength(4);
  });

  test('no more when it is turned off, or the bot is deleted', async () => {
    expect((await alert('PUT', {})).body).toEqual(OFF);
    expect((await alert('GET')).body).toEqual(OFF);
    const other = await deployedBot(world, FAILS, { name: 'Other' });
    await world.call('PUT', `/bots/${other}/alert`, { body: { silentHours: 1 } });
    await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${other}`);
    const text = 'select bot_id from bot_alert where project_id = $1::uuid';
    expect(await runText(db(), text, [world.projectId])).toEqual([]);
  });
});

describe('refusals', () => {
  test('400 names what is wrong, 422 who is no administrator', async () => {
    for (const body of [
      { silentHours: 0 },
      { silentHours: 721 },
      { failure: { percent: 101, hours: 1, minimum: 1 } },
      { failure: { percent: 1, hours: 25, minimum: 1 } },
      { recipients: [] },
      { color: 'red' },
    ])
      expectOutcome(await alert('PUT', body), 400);
    expectOutcome(await alert('PUT', { silentHours: 1, recipients: ['nobody@example.com'] }), 422);
  });

  test('401 for nobody, 403 for another project’s administrator, 404 for another project’s bot', async () => {
    const other = await createWorld();
    for (const method of ['GET', 'PUT']) {
      const body = method === 'PUT' ? {} : undefined;
      const path = `/bots/${bot}/alert`;
      expectOutcome(await world.call(method, path, { body, bearer: null }), 401);
      expectOutcome(await world.call(method, path, { body, bearer: other.owner.bearer }), 403);
      expectOutcome(await other.call(method, path, { body }), 404);
    }
  });
});
