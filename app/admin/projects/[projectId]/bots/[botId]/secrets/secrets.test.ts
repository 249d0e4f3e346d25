import { and, eq } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { botRun, botSecret } from '#lib/infra/db/schema/bots.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const bot = (body: string) => `export async function handler(medplum, event) { ${body} }`;

async function makeBot(world: World, code: string): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name: 'Keeper' } });
  const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, {
    body: { code },
  });
  expect(deployed.status, deployed.text).toBe(200);
  return made.body.id;
}

async function execute(world: World, botId: string) {
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body: {} });
  await flushRuns();
  return answer;
}

const set = async (world: World, path: string, valueString: string) => {
  const answer = await world.call('PUT', path, { body: { valueString } });
  expect(answer.status, answer.text).toBe(200);
};

describe('200', () => {
  test("a bot's own secret goes before the project's, at once, and the project's is back when it is taken out", async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return event.secrets.KEY.valueString.length;'));
    await set(world, '/secrets/KEY', 'of the project');
    expect((await execute(world, botId)).text).toBe('14');
    await set(world, `/bots/${botId}/secrets/KEY`, 'its own');
    expect((await execute(world, botId)).text).toBe('7');
    await set(world, '/secrets/OTHER', 'of the project');
    expect((await world.call('GET', `/bots/${botId}/secrets`)).body).toEqual({
      rows: [
        { name: 'KEY', of: 'bot', isNamed: true, updatedAt: expect.any(String) },
        { name: 'OTHER', of: 'project', isNamed: false, updatedAt: null },
      ],
      missing: [],
    });
    expect((await world.call('DELETE', `/bots/${botId}/secrets/KEY`)).status).toBe(200);
    expect((await execute(world, botId)).text).toBe('14');
  });

  test('what the live code asks for and nothing has is told by its name', async () => {
    const world = await createWorld();
    const botId = await makeBot(
      world,
      bot(
        'return [event.secrets.LAB_KEY, event.secrets["OTHER"], event.secrets.THIRD, event.secrets.hasOwnProperty("x"), event.secrets["lab key"]];',
      ),
    );
    await set(world, '/secrets/OTHER', 'of the project');
    const { rows, missing } = (await world.call('GET', `/bots/${botId}/secrets`)).body;
    expect([rows, missing]).toEqual([
      [{ name: 'OTHER', of: 'project', isNamed: true, updatedAt: null }],
      ['LAB_KEY', 'THIRD'],
    ]);
  });

  test('no value stands in a table, an answer or the audit log', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    await set(world, `/bots/${botId}/secrets/KEY`, 'hunter2-hunter2');
    const here = and(eq(botSecret.projectId, world.projectId), eq(botSecret.botId, botId));
    const rows = JSON.stringify(await db().select().from(botSecret).where(here));
    const audit = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
    const list = await world.call('GET', `/bots/${botId}/secrets`);
    for (const text of [rows, JSON.stringify(audit), list.text]) expect(text).not.toContain('hunter2');
    expect(audit.map(({ action }) => action)).toContain('bot.secret.set');
  });

  test('a secret is masked in what a bot answers, logs and throws, as it is answered and as it is kept', async () => {
    const world = await createWorld();
    const botId = await makeBot(
      world,
      bot(`
        const key = event.secrets.KEY.valueString;
        console.log('key', key, btoa(key));
        if (event.input.fail) throw new Error('refused for ' + key);
        return { key, header: 'Basic ' + btoa('user:' + key), nothing: 'else' };`),
    );
    await set(world, `/bots/${botId}/secrets/KEY`, 'hunter2-hunter2');
    const answered = await execute(world, botId);
    expect(answered.body).toEqual({
      key: '[secret KEY]',
      header: expect.stringContaining('[secret KEY]'),
      nothing: 'else',
    });
    const failed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, {
      body: { fail: true },
    });
    expectOutcome(failed, 400);
    expect(failed.text).toContain('refused for [secret KEY]');
    await flushRuns();
    const runs = await db().select().from(botRun).where(eq(botRun.projectId, world.projectId));
    expect(runs).toHaveLength(2);
    expect(JSON.stringify(runs)).toContain('key [secret KEY] [secret KEY]');
    for (const text of [answered.text, failed.text, JSON.stringify(runs)]) expect(text).not.toContain('hunter2');
  });

  test('a secret that a bot hands on is in no record of the other, and neither shown, found nor used again there', async () => {
    const world = await createWorld();
    const got = await makeBot(world, bot("console.log('got', event.input); return { got: event.input };"));
    const gives = await makeBot(
      world,
      bot(`const k = event.secrets.K1.valueString;
        await fetch('https://' + k + '.invalid').catch(() => undefined);
        return (await medplum.executeBot('${got}', { k, up: k.toUpperCase(), url: encodeURIComponent(k) })) ?? {};`),
    );
    // More than is looked for: a short one is looked for all the same.
    const long = Array.from({ length: 17 }, (_, at) => ({ name: `A${at}`, valueString: `${at}`.padEnd(32_768, '-') }));
    expect((await world.call('POST', '/secrets', { body: long })).status).toBe(200);
    await set(world, `/bots/${gives}/secrets/K1`, 'AnotherSecret99');
    expect((await execute(world, gives)).status).toBe(200);
    const runs = await db().select().from(botRun).where(eq(botRun.projectId, world.projectId));
    expect(runs).toHaveLength(2);
    expect(JSON.stringify(runs).toLowerCase()).not.toContain('anothersecret99');
    const [run] = runs.filter(({ botId }) => botId === got);
    expect(JSON.parse(run!.input!)).toEqual({ k: '[secret K1]', up: '[secret K1]', url: '[secret K1]' });
    const found = await world.call('POST', '/runs/search', { body: { text: 'AnotherSecret99' } });
    expect(found.body.rows).toEqual([]);
    const again = await world.call('POST', `/runs/${run!.id}/replay`, { body: {} });
    expectOutcome(again, 409);
    expect(again.text).toContain('A secret stood in what went into this run');
    // One that is new is known at once, and one that is gone no more.
    await set(world, `/bots/${gives}/secrets/K1`, 'YetAnother77');
    const give = (k: string) => callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${got}/$execute`, { body: { k } });
    expect((await give('YetAnother77')).text).toContain('YetAnother77');
    await world.call('DELETE', `/bots/${gives}/secrets/K1`);
    await give('YetAnother77');
    await flushRuns();
    const later = await db().select().from(botRun).where(eq(botRun.botId, got)).orderBy(botRun.startedAt);
    expect(later.map(({ input }) => input).slice(1)).toEqual(['{"k":"[secret K1]"}', '{"k":"YetAnother77"}']);
  });

  test('what a dry run would write is shown without secrets', async () => {
    const world = await createWorld();
    const botId = await makeBot(
      world,
      bot('await medplum.createResource({ resourceType: "Basic", code: { text: event.secrets.KEY.valueString } });'),
    );
    await set(world, `/bots/${botId}/secrets/KEY`, 'hunter2-hunter2');
    const body = { input: { contentType: 'application/json', body: '{}' } };
    const run = await world.call('POST', `/bots/${botId}/dry-run`, { body });
    expect(run.body.writes).toMatchObject([{ action: 'create', after: { code: { text: '[secret KEY]' } } }]);
  });

  test('a bot that is deleted leaves no secret', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    await set(world, `/bots/${botId}/secrets/KEY`, 'hunter2-hunter2');
    await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Bot/${botId}`);
    expect(await db().select().from(botSecret).where(eq(botSecret.projectId, world.projectId))).toEqual([]);
  });
});

describe('400', () => {
  test.each([
    ['KEY', { valueString: 1 }, 'valueString'],
    ['KEY', { valueString: '' }, 'valueString'],
    ['not a name', { valueString: 'x' }, 'name'],
  ])('%s with %j', async (name, body, expression) => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    const path = `/bots/${botId}/secrets/${encodeURIComponent(name)}`;
    expectOutcome(await world.call('PUT', path, { body }), 400, expression);
  });
});

describe('404', () => {
  test('a secret that the bot has not, also where the project has it', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    await set(world, '/secrets/KEY', 'of the project');
    expectOutcome(await world.call('DELETE', `/bots/${botId}/secrets/KEY`), 404);
  });
});
