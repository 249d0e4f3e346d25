import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tellAlerts } from '#lib/domain/run-log/alerts/tell-alerts.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { runText } from '#lib/infra/db/client.ts';
import { auditEvent, mail } from '#lib/infra/db/schema/operations.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeMember } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

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

/** What ran before ran so many hours earlier. */
async function longAgo(hours: number): Promise<void> {
  for (const [table, column] of [
    ['bot_run', 'started_at'],
    ['bot_hour', 'hour'],
  ])
    await runText(
      db(),
      `update ${table} set ${column} = ${column} - make_interval(hours => $2::int) where project_id = $1::uuid`,
      [world.projectId, hours],
    );
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
    for (let i = 0; i < 6; i += 1) {
      await run({});
      await look();
      expect(await mails(), 'so many percent fail that it is not over yet').toHaveLength(1);
    }
    await run({});
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
      detail: expect.stringMatching(/^since \d{4}-\d\d-\d\d \d\d:00 UTC 2 of 2 runs failed \(100 %\)$/),
    });
  });

  test('of silence, when no run went well for so long', async () => {
    await alert('PUT', { silentHours: 3 });
    await longAgo(4);
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

describe('what is said stands until something else is known', () => {
  /** As a super-admin closes it. */
  const project = async (active: boolean) => {
    const body = [{ op: 'add', path: '/active', value: active }];
    const headers = { 'content-type': 'application/json-patch+json' };
    const path = `/fhir/R4/Project/${world.projectId}`;
    const answer = await callApi(await createSuperAdmin(), 'PATCH', path, { body, headers });
    expect(answer.status, answer.text).toBe(200);
  };

  beforeEach(async () => {
    world = await createWorld();
    bot = await deployedBot(world, FAILS, { name: 'Admission' });
  });

  test('an hour in which too little ran is no news', async () => {
    await alert('PUT', { failure: { percent: 50, hours: 1, minimum: 2 } });
    for (let i = 0; i < 2; i += 1) await run({ fails: 'x' });
    await longAgo(1);
    await look();
    expect(await mails(), 'the hour that the time begins in counts').toMatchObject([{ template: 'bot-trouble' }]);
    await longAgo(1);
    await look();
    expect((await alert('GET')).body.failingSince).toMatch(/Z$/);
    expect(await mails()).toHaveLength(1);
  });

  test('a run that is kept no more went well all the same', async () => {
    await alert('PUT', { silentHours: 240 });
    await run({});
    await longAgo(200);
    await runText(db(), 'delete from bot_run where project_id = $1::uuid', [world.projectId]);
    await look(241);
    expect((await alert('GET')).body.silentSince).toBeNull();
    await longAgo(41);
    await look();
    expect((await alert('GET')).body.silentSince).toMatch(/Z$/);
  });

  test('nobody hears of a closed project', async () => {
    await alert('PUT', { silentHours: 1 });
    await project(false);
    await look(2);
    expect((await mails()).filter(({ template }) => template === 'bot-trouble')).toHaveLength(0);
    await project(true);
    await look();
    expect((await mails()).filter(({ template }) => template === 'bot-trouble')).toHaveLength(1);
  });

  test('any administrator can be chosen, however many there are; all hear when the chosen one is none any more', async () => {
    const email = anEmail();
    for (let i = 0; i < 20; i += 1) await world.invite({ email: anEmail(), membership: { admin: true } });
    const last = await world.invite({ email, membership: { admin: true } });
    const set = await alert('PUT', { silentHours: 1, recipients: [email] });
    expect(set.status, set.text).toBe(200);
    await look(2);
    const trouble = async () => (await mails()).filter(({ template }) => template === 'bot-trouble');
    expect(await trouble()).toMatchObject([{ recipient: email }]);
    await changeMember({ projectId: world.projectId, membershipId: last.id }, { admin: false });
    await alert('PUT', { silentHours: 1 });
    await runText(db(), 'update bot_alert set recipients = $2::text[] where project_id = $1::uuid', [
      world.projectId,
      toTextArray([email]),
    ]);
    await look(2);
    expect((await trouble()).length).toBe(1 + 20);
  });
});

test('bots that cannot be looked at hold nobody up', async () => {
  const insert = `insert into bot_alert (project_id, bot_id, silent_hours, checked_at)
    select $1::uuid, gen_random_uuid(), 1, now() - interval '1 hour' from generate_series(1, 100)`;
  await runText(db(), insert, [world.projectId]);
  const name = `t${world.projectId.replaceAll('-', '')}`;
  await runText(
    db(),
    `create function ${name}() returns trigger language plpgsql as $$ begin raise 'no space'; end $$`,
    [],
  );
  await runText(
    db(),
    `create trigger ${name} before update on bot_alert for each row when (old.project_id = '${world.projectId}') execute function ${name}()`,
    [],
  );
  try {
    const other = await createWorld();
    const theirs = await deployedBot(other, FAILS, { name: 'Theirs' });
    await other.call('PUT', `/bots/${theirs}/alert`, { body: { silentHours: 1 } });
    await runText(db(), `update bot_alert set checked_at = now() - interval '2 minutes' where project_id = $1::uuid`, [
      other.projectId,
    ]);
    await tellAlerts();
    const waiting = `select bot_id from bot_alert where project_id = $1::uuid and checked_at < now() - interval '1 minute'`;
    expect(await runText(db(), waiting, [other.projectId])).toEqual([]);
  } finally {
    await runText(db(), `drop trigger ${name} on bot_alert`, []);
    await runText(db(), `drop function ${name}()`, []);
    await runText(db(), 'delete from bot_alert where project_id = $1::uuid', [world.projectId]);
  }
});

describe('refusals', () => {
  test('412 for who has not seen what somebody else has set meanwhile', async () => {
    const seen = { failure: null, silentHours: null, recipients: null };
    const failure = { percent: 20, hours: 1, minimum: 1 };
    expect((await alert('PUT', { failure, over: seen })).body).toEqual({ ...OFF, failure });
    expectOutcome(await alert('PUT', { silentHours: 3, over: seen }), 412, 'over');
    expect((await alert('GET')).body).toEqual({ ...OFF, failure });
    expect((await alert('PUT', { over: { ...seen, failure } })).body).toEqual(OFF);
  });

  test('400 names what is wrong, 422 who is no administrator', async () => {
    for (const body of [
      { silentHours: 0 },
      { silentHours: 721 },
      { failure: { percent: 101, hours: 1, minimum: 1 } },
      { failure: { percent: 1, hours: 25, minimum: 1 } },
      { recipients: [] },
      { recipients: [world.owner.email] },
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
