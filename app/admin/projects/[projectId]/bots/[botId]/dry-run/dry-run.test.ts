import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import type { DryRun } from '#lib/protocol/bots/dry-run.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const bot = (body: string) => `export async function handler(medplum, event) { ${body} }`;
const JSON_INPUT = { contentType: 'application/json', body: '{}' };

async function makeBot(world: World, code?: string): Promise<string> {
  const made = await world.call('POST', '/bot', { body: { name: 'Dry' } });
  expect(made.status, made.text).toBe(201);
  if (code !== undefined) {
    const deployed = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, {
      body: { code },
    });
    expect(deployed.status, deployed.text).toBe(200);
  }
  return made.body.id;
}

async function dryRun(world: World, botId: string, body: object): Promise<DryRun> {
  const answer = await world.call('POST', `/bots/${botId}/dry-run`, { body: { input: JSON_INPUT, ...body } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function create(world: World, resource: object) {
  const { resourceType } = resource as { resourceType: string };
  const made = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${resourceType}`, { body: resource });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** How many rows each table has, of jobs, too, and where PostgreSQL has been told last to write each. */
async function countAll(): Promise<Record<string, number>> {
  const tables = await db().execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss') order by 1`);
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await db().execute<{ count: number }>(sql.raw(`select count(*)::int as count from ${name}`));
    counts[name] = row!.count;
  }
  return counts;
}

/** Once what was done before has told all that it tells. */
async function countSettled(): Promise<Record<string, number>> {
  await flushRuns();
  let last = await countAll();
  await expect
    .poll(async () => {
      const next = await countAll();
      const isSame = JSON.stringify(next) === JSON.stringify(last);
      last = next;
      return isSame;
    })
    .toBe(true);
  return last;
}

const EVERYTHING = bot(`
  const { patientId, toDelete } = event.input;
  const made = await medplum.createResource({ resourceType: 'Observation', status: 'final', code: { text: 'x' }, subject: { reference: 'Patient/' + patientId } });
  const again = await medplum.readResource('Observation', made.id);
  const found = await medplum.searchResources('Observation', { subject: 'Patient/' + patientId });
  const updated = await medplum.updateResource({ ...(await medplum.readResource('Patient', patientId)), gender: 'female' });
  await medplum.patchResource('Patient', patientId, [{ op: 'add', path: '/birthDate', value: '1990-01-01' }]);
  await medplum.deleteResource('Basic', toDelete);
  const basic = await medplum.createResource({ resourceType: 'Basic', code: { text: 'twice' } });
  await medplum.deleteResource('Basic', basic.id);
  await medplum.createResource({ resourceType: 'Binary', contentType: 'text/plain', data: 'aGVsbG8=' });
  const gone = await medplum.readResource('Basic', toDelete).then(() => 'there', (error) => error.message);
  const refused = await medplum.createResource({ resourceType: 'Patient', gender: 'no such' }).then(() => 'stored', () => 'refused');
  console.log('done');
  return { sees: again.id === made.id, found: found.length, version: updated.meta.versionId, gone, refused };
`);

/** Transactions whose bot does something else; others stand still between two statements, too, but not for so long. */
async function idle(): Promise<number[]> {
  const rows = await db().execute<{ pid: number }>(sql`
    select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
      and application_name = 'gatehouse' and state_change < now() - interval '300 milliseconds'`);
  return rows.map(({ pid }) => pid);
}

describe('200', () => {
  test('a run sees what it writes, its writes come back as differences, and no table has a row more or less', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, EVERYTHING);
    const patient = await create(world, { resourceType: 'Patient', gender: 'male' });
    const basic = await create(world, { resourceType: 'Basic', code: { text: 'goes' } });
    await create(world, {
      resourceType: 'Subscription',
      status: 'active',
      reason: 'who hears of it',
      criteria: 'Observation',
      channel: { type: 'rest-hook', endpoint: `Bot/${botId}` },
    });
    // One that is really delivered, so that there are queues.
    await create(world, { resourceType: 'Observation', status: 'final', code: { text: 'heard' } });
    const before = await countSettled();
    expect(before['pgboss.job']).toBeGreaterThan(0);
    const body = JSON.stringify({ patientId: patient.id, toDelete: basic.id });
    const run = await dryRun(world, botId, { input: { contentType: 'application/json', body } });
    expect(run.failure).toBeNull();
    expect(JSON.parse(run.output!.text)).toEqual({
      sees: true,
      found: 1,
      version: '2',
      gone: 'Deleted',
      refused: 'refused',
    });
    expect(run).toMatchObject({ version: 1, ok: true, logs: [{ level: 'log', text: 'done' }] });
    expect(run.writes.map(({ action, target }) => [action, target.split('/')[0]])).toEqual([
      ['create', 'Observation'],
      ['update', 'Patient'],
      ['delete', 'Basic'],
      ['create', 'Binary'],
    ]);
    expect(run.writes[1]).toMatchObject({
      before: { gender: 'male', meta: { versionId: '1' } },
      after: { gender: 'female', birthDate: '1990-01-01', meta: { versionId: '3' } },
    });
    expect(run.writes[2]).toMatchObject({ before: { code: { text: 'goes' } }, after: null });
    expect(run.calls.map(({ method, ok }) => [method, ok])).toContainEqual(['createResource', false]);
    expect(await countSettled()).toEqual(before);
    const { text } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/Patient/${patient.id}`);
    expect(JSON.parse(text)).toMatchObject({ gender: 'male', meta: { versionId: '1' } });
  });

  test('a draft runs that was never deployed, and what it imports is compiled as at a deploy', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const run = await dryRun(world, botId, {
      code: bot('return event.input;'),
      input: { contentType: 'text/plain', body: 'Hello' },
    });
    expect(run).toMatchObject({ version: null, ok: true, output: { kind: 'string', text: 'Hello' } });
    const failing = await dryRun(world, botId, { code: bot('throw new Error("no luck");') });
    expect(failing).toMatchObject({ ok: false, output: null, failure: { message: 'no luck' } });
  });

  test.each([
    ['text/plain', 'a', 'a'],
    ['application/json; charset=utf-8', '{"a":1}', { a: 1 }],
    ['application/fhir+json', '{"resourceType":"Patient"}', { resourceType: 'Patient' }],
    ['application/x-www-form-urlencoded', 'a=1&b=2', { a: '1', b: '2' }],
  ])('the input is what a request of %s would be', async (contentType, body, expected) => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const run = await dryRun(world, botId, {
      code: bot('return { input: event.input };'),
      input: { contentType, body },
    });
    expect(JSON.parse(run.output!.text)).toEqual({ input: expected });
  });

  test('a message of HL7 v2 is one', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const input = { contentType: 'x-application/hl7-v2+er7', body: 'MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5' };
    const run = await dryRun(world, botId, {
      code: bot('return event.input.getSegment("MSH").getField(10).toString();'),
      input,
    });
    expect(run.output?.text).toBe('1');
  });

  test('an earlier version runs as it was', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body: { code: bot('return 2;') } });
    expect(await dryRun(world, botId, { version: 1 })).toMatchObject({ version: 1, output: { text: '1' } });
    expect(await dryRun(world, botId, {})).toMatchObject({ version: 2, output: { text: '2' } });
  });

  test('a version whose number came again, with other code, is that code, also where samples are tried', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return "first";'));
    await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, {
      body: { code: bot('return "second";') },
    });
    const expects = { output: [{ path: '', value: 'second' }] };
    const sample = { name: 'Second', input: JSON_INPUT, expects };
    expect((await world.call('POST', `/bots/${botId}/samples`, { body: sample })).status).toBe(201);
    const back = () => world.call('POST', `/bots/${botId}/rollback`, { body: { number: 1 } });
    expect(await dryRun(world, botId, { version: 1 })).toMatchObject({ output: { text: 'first' } });
    expectOutcome(await back(), 422);
    // As where a project is removed and imported.
    await db().execute(sql`
      update bot_version v set bundle = o.bundle from bot_version o
      where o.project_id = v.project_id and o.bot_id = v.bot_id and o.number = 2 and v.number = 1
        and v.project_id = ${world.projectId}::uuid and v.bot_id = ${botId}::uuid`);
    expect(await dryRun(world, botId, { version: 1 })).toMatchObject({ version: 1, output: { text: 'second' } });
    const gone = await back();
    expect(gone.status, gone.text).toBe(201);
  });

  test('two dry runs of a project at once take turns, and neither sees what the other writes', async () => {
    const world = await createWorld();
    const botId = await makeBot(
      world,
      bot(
        'await medplum.createResource({ resourceType: "Basic", code: { text: "t" } }); return (await medplum.searchResources("Basic", "")).length;',
      ),
    );
    const runs = await Promise.all([dryRun(world, botId, {}), dryRun(world, botId, {})]);
    expect(runs.map(({ output }) => output?.text)).toEqual(['1', '1']);
  });

  test('one that is killed in the middle, and one that takes too long, leave nothing', async () => {
    const world = await createWorld();
    const write = 'await medplum.createResource({ resourceType: "Basic", code: { text: "t" } });';
    const botId = await makeBot(world);
    const before = await countSettled();
    // It may be answered 503, as soon as its connection is gone.
    const killed = dryRun(world, botId, { code: bot(`${write} for (;;);`) }).catch(() => undefined);
    await expect.poll(idle).toHaveLength(1);
    const [lock] = await idle();
    await db().execute(sql`select pg_terminate_backend(${lock!})`);
    await killed;
    expect(await countSettled()).toEqual(before);
    const late = await dryRun(world, botId, { code: bot(`${write} for (;;);`) });
    expect(late).toMatchObject({ ok: false, failure: { reason: 'timeout' } });
    expect(await countSettled()).toEqual(before);
  }, 60_000);

  test('whoever wants to change what a dry run has changed does not wait for it: it gives way', async () => {
    const world = await createWorld();
    const patient = await create(world, { resourceType: 'Patient', gender: 'male' });
    const botId = await makeBot(world);
    const code = bot(
      `await medplum.updateResource({ resourceType: 'Patient', id: '${patient.id}', gender: 'female' }); for (;;);`,
    );
    const running = world.call('POST', `/bots/${botId}/dry-run`, { body: { code, input: JSON_INPUT } });
    await expect.poll(idle).toHaveLength(1);
    const changed = await callApi(world.owner.bearer, 'PUT', `/fhir/R4/Patient/${patient.id}`, {
      body: { resourceType: 'Patient', id: patient.id, gender: 'other' },
    });
    expect(changed.status, changed.text).toBe(200);
    expectOutcome(await running, 409);
  });

  test('a mistake of one call is taken back, and the run goes on', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot(`
      await Promise.allSettled([1, 2, 3].map((n) => n === 2
        ? medplum.updateResource({ resourceType: 'Patient', id: '00000000-0000-4000-8000-000000000000' })
        : medplum.createResource({ resourceType: 'Basic', code: { text: String(n) } })));
      return (await medplum.searchResources('Basic', '')).length;`);
    const run = await dryRun(world, botId, { code });
    expect(run.output?.text).toBe('2');
    expect(run.writes).toHaveLength(2);
  });

  const API = `
    const ask = async (method, path, body, headers) => {
      const sent = { 'content-type': 'application/fhir+json', ...headers };
      const answer = await medplum.fetch(medplum.getBaseUrl() + path, { method, headers: sent, ...(body && { body: JSON.stringify(body) }) });
      return [answer.status, (await answer.json()).issue?.[0].details?.text];
    };`;

  test('what a route would do beside the transaction is refused as such, and no fault of ours', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot(`${API} return await ask('GET', 'fhir/R4/$export', undefined, { prefer: 'respond-async' });`);
    const run = await dryRun(world, botId, { code });
    const text = 'A dry run does not change what stands outside of its transaction';
    expect(JSON.parse(run.output!.text)).toEqual([422, text]);
  });

  test('another bot is not run, nor is that noted as a job that never was', async () => {
    const world = await createWorld();
    const [botId, other] = [await makeBot(world), await makeBot(world)];
    const path = `'fhir/R4/Bot/${other}/$execute'`;
    const code = bot(
      `${API} return [await ask('POST', ${path}, {}), await ask('POST', ${path}, {}, { prefer: 'respond-async' })];`,
    );
    const run = await dryRun(world, botId, { code });
    const refused = [422, expect.stringContaining('does not run another bot')];
    expect(JSON.parse(run.output!.text)).toEqual([refused, refused]);
  });

  test('mail by the bot’s own token and plain fetch is none either', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot(`
      const headers = { authorization: 'Bearer ' + medplum.getAccessToken(), 'content-type': 'application/json' };
      const body = JSON.stringify({ to: 'a@example.com', subject: 's', text: 't' });
      const answer = await fetch(medplum.getBaseUrl() + 'email/v1/send', { method: 'POST', headers, body }).catch((error) => error);
      return [answer.status, String(answer.cause?.message ?? answer.message ?? '') + await answer.text?.()];`);
    const refused = await dryRun(world, botId, { code });
    expect(refused.output?.text ?? '').toContain('A dry run does not send mail');
    const stubbed = await dryRun(world, botId, { code, stubs: { mail: true } });
    expect(stubbed.calls.map(({ answeredBy }) => answeredBy)).toEqual(['stub']);
  });

  test('a stub answers for our own address too, also with the bot’s own token', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot(`
      const headers = { authorization: 'Bearer ' + medplum.getAccessToken() };
      const url = medplum.fhirUrl('Patient').toString();
      const ask = async () => { const answer = await fetch(url, { headers }); return [answer.status, await answer.text()]; };
      return [await ask(), await fetch(url + '?x=1', { headers }).then((answer) => answer.status)];`);
    const url = `${process.env.BASE_URL}/fhir/R4/Patient`;
    const run = await dryRun(world, botId, { code, stubs: { fetch: [{ url, status: 503, body: 'away' }] } });
    expect(JSON.parse(run.output!.text)).toEqual([[503, 'away'], 400]);
    expect(run.calls.map(({ answeredBy }) => answeredBy)).toEqual(['stub', 'gatehouse']);
    const all = { url: `${new URL(url).protocol}//*`, status: 503, body: 'away' };
    const others = await dryRun(world, botId, { code, stubs: { fetch: [all] } });
    expect(JSON.parse(others.output!.text)).toEqual([[200, expect.stringContaining('searchset')], 400]);
  });

  test('mail is never sent, however its address is written', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const mail = `{ to: 'a@example.com', subject: 's', text: 't' }`;
    const paths = [
      'email/v1/send',
      'email/v1/./send',
      'email/v1/x/../send',
      'email/v1/se\\tnd',
      'email\\\\v1/send?x=1',
    ];
    const code = bot(
      `${API} return Promise.all(${JSON.stringify(paths).replaceAll('\\\\', '\\')}.map((path) => ask('POST', path, ${mail})));`,
    );
    const refused = await dryRun(world, botId, { code });
    const text = expect.stringContaining('A dry run does not send mail');
    expect(JSON.parse(refused.output!.text)).toEqual(paths.map(() => [400, text]));
    const stubbed = await dryRun(world, botId, { code, stubs: { mail: true } });
    expect(stubbed.calls.map(({ answeredBy }) => answeredBy)).toEqual(paths.map(() => 'stub'));
  });

  test('one within another is refused, and the other goes on', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const { body } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile=Bot/${botId}`);
    const patch = { body: [{ op: 'add', path: '/admin', value: true }] };
    expect((await world.call('PATCH', `/members/${body.entry[0].resource.id}`, patch)).status).toBe(200);
    const inner = JSON.stringify({ code: bot('return 1;'), input: JSON_INPUT });
    const code = bot(`${API} return ask('POST', 'admin/projects/${world.projectId}/bots/${botId}/dry-run', ${inner});`);
    const run = await dryRun(world, botId, { code });
    expect(JSON.parse(run.output!.text)).toEqual([422, 'A dry run does not make another']);
  });

  test('secrets stand in nothing that is told of its calls', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    await world.call('PUT', `/bots/${botId}/secrets/HOST`, { body: { valueString: 'hidden.example' } });
    const code = bot(`
      await fetch('https://hidden.example/x').catch(() => undefined);
      await medplum.searchResources('Basic', 'code=hidden.example');`);
    const run = await dryRun(world, botId, { code });
    expect(run.calls).toHaveLength(2);
    expect(JSON.stringify(run)).not.toContain('hidden.example');
  });

  test('what is only tried within it is no write, and of a batch each entry stands for itself', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const { id } = await create(world, { resourceType: 'Patient', gender: 'male' });
    const code = bot(`${API}
      const tried = [
        await ask('POST', 'fhir/R4/Patient/$validate?mode=create', { resourceType: 'Patient' }),
        await ask('POST', 'fhir/R4/Patient/${id}/$validate?mode=delete'),
      ].map(([status]) => status);
      const entry = (body) => ({ request: { method: 'POST', url: 'Basic' }, resource: { resourceType: 'Basic', code: { text: 'b' }, ...body } });
      const missing = { subject: { reference: 'Patient/00000000-0000-4000-8000-000000000000' } };
      const batch = await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry: [
        entry({}), { request: { method: 'DELETE', url: 'Patient/x' } }, entry({ code: 'odd' }), entry({}),
        { request: { method: 'PUT', url: 'Basic/00000000-0000-4000-8000-000000000000' }, resource: { resourceType: 'Basic' } } ] });
      return [tried, (await medplum.readResource('Patient', '${id}')).gender, batch.entry.map(({ response }) => response.status.slice(0, 1))];`);
    const run = await dryRun(world, botId, { code });
    expect(JSON.parse(run.output!.text)).toEqual([[200, 200], 'male', ['2', '2', '4', '2', '4']]);
    expect(run.writes.map(({ action, target }) => [action, target.split('/')[0]])).toEqual([
      ['create', 'Basic'],
      ['create', 'Basic'],
    ]);
  });

  test('a stub answers no address that the bot may not call', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const found = (await callApi(world.owner.bearer, 'GET', `/fhir/R4/Bot/${botId}`)).body;
    const body = { ...found, allowedHost: ['a.example'] };
    expect((await callApi(world.owner.bearer, 'PUT', `/fhir/R4/Bot/${botId}`, { body })).status).toBe(200);
    const code = bot(`
      const ask = (host) => fetch('https://' + host + '/x').then((answer) => answer.status, (error) => String(error.cause ?? error));
      return [await ask('a.example'), await ask('b.example')];`);
    const fetch = ['a', 'b'].map((name) => ({ url: `https://${name}.example/*`, status: 200 }));
    const run = await dryRun(world, botId, { code, stubs: { fetch } });
    expect(JSON.parse(run.output!.text)).toEqual([200, expect.stringContaining('b.example is not among the hosts')]);
  });

  test('a secret that is an id stands in no target', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const setting = [{ name: 'updateCreate', valueBoolean: true }];
    const { body: project } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/Project/${world.projectId}`);
    const put = await callApi(world.owner.bearer, 'PUT', `/fhir/R4/Project/${world.projectId}`, {
      body: { ...project, setting: [...(project.setting ?? []), ...setting] },
    });
    expect(put.status, put.text).toBe(200);
    await world.call('PUT', `/bots/${botId}/secrets/KEY`, { body: { valueString: 'hidden-identifier' } });
    const code = bot(`
      const { id } = await medplum.updateResource({ resourceType: 'Basic', id: event.secrets.KEY.valueString, code: { text: 'x' } });
      return id.length;`);
    const run = await dryRun(world, botId, { code });
    expect(run.output?.text).toBe('17');
    expect(run.writes).toHaveLength(1);
    expect(JSON.stringify(run)).not.toContain('hidden-identifier');
    const body = { code };
    expect((await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$deploy`, { body })).status).toBe(200);
    expect((await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body: {} })).text).toBe('17');
    await flushRuns();
    const [{ id }] = (await world.call('GET', `/runs?bot=${botId}`)).body.rows;
    const kept = (await world.call('GET', `/runs/${id}`)).body;
    expect(kept.calls[0].wrote).toHaveLength(1);
    expect(JSON.stringify(kept.calls)).not.toContain('hidden-identifier');
  });

  test('more than two hundred changes are refused', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot(
      'for (let n = 0; n < 250; n++) await medplum.createResource({ resourceType: "Basic", code: { text: "t" } });',
    );
    expect(await dryRun(world, botId, { code })).toMatchObject({
      ok: false,
      failure: { message: 'A dry run changes at most 200 things' },
    });
  });

  test('has a token that opens nothing', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const code = bot('return { token: medplum.getAccessToken(), again: await medplum.getAccessToken() }');
    const run = await dryRun(world, botId, { code });
    const { token, again } = JSON.parse(run.output!.text);
    expect([typeof token, again]).toEqual(['string', token]);
    expect((await callApi(token, 'GET', '/fhir/R4/Patient')).status).toBe(401);
  });
});

describe('400', () => {
  test.each([
    [{ code: 'export const x = 1;' }, 'code'],
    [{ version: 7 }, 'version'],
    [{ version: 1, code: 'x' }, 'version'],
    [{}, 'code'],
    [{ code: 'x', input: { contentType: 'nothing', body: '' } }, 'input.contentType'],
    [{ code: 'x', input: { contentType: 'application/json', body: '{' } }, 'input.body'],
    [{ stubs: { fetch: [{ url: 'ftp://x' }] } }, 'stubs.fetch[0].url'],
  ])('%j is refused by name', async (body, expression) => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const answer = await world.call('POST', `/bots/${botId}/dry-run`, { body: { input: JSON_INPUT, ...body } });
    expectOutcome(answer, 400, expression);
  });
});

describe('429', () => {
  test('one for which there is no place in a process in time, and it keeps nobody else out', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, bot('return 1;'));
    await stopRunner();
    const usual = pace.dryRunWaitMs;
    onTestFinished(() => {
      pace.dryRunWaitMs = usual;
    });
    // A process is not there at once.
    pace.dryRunWaitMs = 0;
    const late = await world.call('POST', `/bots/${botId}/dry-run`, { body: { input: JSON_INPUT } });
    expectOutcome(late, 429);
    expect(late.text).toContain('Too many bots are running');
    pace.dryRunWaitMs = usual;
    expect(await dryRun(world, botId, {})).toMatchObject({ ok: true });
  });
});

describe('415', () => {
  test('a type that bots do not take', async () => {
    const world = await createWorld();
    const botId = await makeBot(world);
    const body = { code: bot('return 1;'), input: { contentType: 'image/png', body: '' } };
    expectOutcome(await world.call('POST', `/bots/${botId}/dry-run`, { body }), 415, 'input.contentType');
  });
});
