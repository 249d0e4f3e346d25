import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function execute(bot: string, input: unknown = {}) {
  const headers = { 'content-type': 'application/json' };
  return callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: input, headers });
}

async function membershipOf(bot: string): Promise<string> {
  const found = await callApi(world.owner.bearer, 'GET', `/fhir/R4/ProjectMembership?profile=Bot/${bot}`);
  return found.body.entry[0].resource.id;
}

/** Until it is told, or refused: what happens meanwhile is between two of its calls. */
const WAITS = `export async function handler(medplum, event) {
  const tell = (call) => call.then(() => 'done', (error) => error.outcome?.issue?.[0]?.code ?? String(error));
  await medplum.createResource({ resourceType: 'Basic', code: { text: 'begun ' + event.input.name } });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const code = 'go-' + event.input.name;
  while (!(await medplum.searchOne('Basic', { code }).catch(() => 'refused'))) await new Promise((resolve) => setTimeout(resolve, 100));
  return [await tell(medplum.createResource({ resourceType: 'Patient' })), await tell(medplum.searchResources('Basic', '_count=1'))];
}`;

async function begun(name: string): Promise<void> {
  const find = async () => (await callApi(world.owner.bearer, 'GET', '/fhir/R4/Basic?_count=1000')).text;
  await expect.poll(find, { timeout: 20_000 }).toContain(`begun ${name}`);
}

test.each([
  ['its own', false],
  ['its caller’s', true],
])('a run that goes on with %s rights while its bot is switched off does nothing more', async (_, runAsUser) => {
  const bot = await deployedBot(world, WAITS, { timeout: 60, runAsUser });
  const name = `switched-off-${runAsUser}`;
  const running = execute(bot, { name });
  await begun(name);
  const off = await world.call('PATCH', `/members/${await membershipOf(bot)}`, {
    body: [{ op: 'add', path: '/active', value: false }],
  });
  expect(off.status, off.text).toBe(200);
  expect((await running).body).toEqual(['login', 'login']);
});

test('what a policy leaves is what a run that goes on may do from then on', async () => {
  const bot = await deployedBot(world, WAITS, { timeout: 60 });
  const running = execute(bot, { name: 'limited' });
  await begun('limited');
  const body = { resourceType: 'AccessPolicy', name: 'Basic', resource: [{ resourceType: 'Basic' }] };
  const policy = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  const limited = await world.call('PATCH', `/members/${await membershipOf(bot)}`, {
    body: [{ op: 'add', path: '/access', value: [{ policy: { reference: `AccessPolicy/${policy.body.id}` } }] }],
  });
  expect(limited.status, limited.text).toBe(200);
  const go = { resourceType: 'Basic', code: { coding: [{ code: 'go-limited' }] } };
  await callApi(world.owner.bearer, 'POST', '/fhir/R4/Basic', { body: go });
  expect((await running).body).toEqual(['forbidden', 'done']);
});

test('a bot that runs as its caller is not told where else they have signed in', async () => {
  const code = `export async function handler(medplum) {
    return await (await medplum.fetch(medplum.getBaseUrl() + 'auth/me')).json();
  }`;
  const me = await execute(await deployedBot(world, code, { runAsUser: true }));
  expect(me.body.membership.user.reference).toMatch(/^User\//);
  expect(me.body.security).toBeUndefined();
});

test('a token of ours stands in no record without its end; of others, what was said', async () => {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
  const foreign = `${part({ alg: 'none' })}.${part({ iss: 'https://elsewhere.test' })}.signature`;
  const code = `export async function handler(medplum, event) {
    const token = medplum.getAccessToken();
    console.log('said', token, '${foreign}');
    return { token, given: event.input };
  }`;
  const bot = await deployedBot(world, code);
  const ran = await execute(bot, { bearer: world.owner.bearer });
  const [, , signature] = ran.body.token.split('.');
  const listed = await world.call('GET', `/bots/${bot}/runs`);
  const record = await world.call('GET', `/bots/${bot}/runs/${listed.body.rows[0].id}`);
  expect(record.text).toContain('[secret ACCESS_TOKEN]');
  expect(record.text).not.toContain(signature);
  expect(record.text).not.toContain(world.owner.bearer.split('.')[2]);
  expect(record.text).toContain(foreign);
});

const FETCHES = `export async function handler(medplum, event) {
  const headers = { authorization: 'Bearer ' + medplum.getAccessToken(), 'content-type': 'application/fhir+json' };
  const ask = async (path, init) => fetch(medplum.getBaseUrl() + path, { headers, ...init });
  const made = await ask('fhir/R4/Basic', { method: 'POST', body: JSON.stringify({ resourceType: 'Basic', code: { text: 'made' } }) });
  const gone = await ask('fhir/R4/Basic/00000000-0000-4000-8000-000000000000');
  const other = await fetch(medplum.getBaseUrl() + 'fhir/R4/Basic', { headers: { authorization: 'Bearer x' } }).catch((error) => error.cause.code ?? 'refused');
  return [made.status, made.statusText, made.ok, made.url.endsWith('/fhir/R4/Basic'), (await made.json()).code.text, gone.status, other.status ?? other];
}`;

test('the bot’s own token opens our own address to its fetch, as a part of its run', async () => {
  const ran = await execute(await deployedBot(world, FETCHES));
  expect(ran.body).toEqual([201, 'Created', true, true, 'made', 404, expect.any(String)]);
});

test('what it asks as somebody else, or by a method of its own, goes the way of all', async () => {
  const code = `export async function handler(medplum) {
    const authorization = 'Bearer ' + medplum.getAccessToken();
    const ask = (init) => fetch(medplum.getBaseUrl() + 'fhir/R4/Basic', init).then(({ status }) => status, (error) => String(error.cause?.message ?? error));
    const asOther = { authorization, 'x-medplum-on-behalf-of': 'Practitioner/1' };
    return [await ask({ headers: asOther }), await ask({ method: 'OPTIONS', headers: { authorization } })];
  }`;
  const ran = await execute(await deployedBot(world, code));
  for (const refused of ran.body) expect(refused).toMatch(/https|private|address/);
});

test('a bot that so runs itself is cut as one that does it by its client', async () => {
  const code = `export async function handler(medplum, event) {
    const headers = { authorization: 'Bearer ' + medplum.getAccessToken(), 'content-type': 'application/json' };
    const answer = await fetch(medplum.getBaseUrl() + 'fhir/R4/' + event.bot.reference + '/$execute', { method: 'POST', headers, body: '{}' });
    return { level: 1, within: await answer.json() };
  }`;
  const ran = await execute(await deployedBot(world, code));
  expect(ran.text).toContain('5 deep at most');
  expect(ran.text.match(/"level"/g)).toHaveLength(5);
});
