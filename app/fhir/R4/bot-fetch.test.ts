import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let server: Server;
let address: string;
let asked = 0;

beforeAll(async () => {
  world = await createWorld();
  server = createServer((request, response) => {
    asked += 1;
    if (request.url === '/away')
      return response.writeHead(302, { location: address.replace('127.0.0.1', 'localhost') }).end();
    if (request.url === '/controls') return response.end('\u0001\u0000é'.repeat(1000));
    response.setHeader('content-type', 'application/json');
    request.setEncoding('utf8').on('data', () => {});
    return response.end(JSON.stringify({ method: request.method, by: request.headers['user-agent'] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
  server.close();
});

const CODE = `export async function handler(medplum: any, event: any) {
  try {
    const response = await fetch(event.input.url, { method: 'POST', body: 'x' });
    return { status: response.status, ...(await response.json()) };
  } catch (error: any) {
    return { failed: error.message, why: error.cause?.message };
  }
}`;

async function ask(botId: string, url: string) {
  const { body } = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body: { url } });
  return body;
}

describe('a bot calls others', () => {
  test('by fetch, through the server', async () => {
    onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
    const bot = await deployedBot(world, CODE);
    expect(await ask(bot, address)).toEqual({ status: 200, method: 'POST', by: 'gatehouse-bot' });
  });

  test('and reaches nothing of our own networks', async () => {
    const bot = await deployedBot(world, CODE);
    const before = asked;
    for (const url of [
      address,
      address.replace('http:', 'https:'),
      'https://169.254.169.254/',
      'https://[::1]/',
      'https://localhost/',
    ])
      expect(await ask(bot, url)).toMatchObject({
        failed: 'fetch failed',
        why: expect.stringContaining('open internet'),
      });
    expect(asked).toBe(before);
  });

  test('that are among its hosts, and is led nowhere else', async () => {
    onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
    const bot = await deployedBot(world, CODE, { allowedHost: ['127.0.0.1'] });
    expect(await ask(bot, address)).toMatchObject({ status: 200 });
    for (const url of [`${address}away`, address.replace('127.0.0.1', 'localhost')])
      expect(await ask(bot, url)).toMatchObject({ why: expect.stringContaining('localhost is not among the hosts') });
    const closed = await deployedBot(world, CODE, { allowedHost: ['none'] });
    expect(await ask(closed, address)).toMatchObject({ failed: 'fetch failed' });
  });
});

describe('hosts that are none are refused', () => {
  test.each(['https://a.example', 'A.example', 'a.example:443', '*', 'a.*', 'a/b', '', 'none'])('%j', async (host) => {
    const path = `/admin/projects/${world.projectId}/bot`;
    const body = { name: 'Bot', allowedHost: ['b.example', host] };
    expectOutcome(await callApi(world.owner.bearer, 'POST', path, { body }), 400);
  });

  test('with their place, and those that are some are kept', async () => {
    const bot = await deployedBot(world, CODE);
    const put = (allowedHost: string[]) =>
      callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${bot}`, {
        body: [{ op: 'add', path: '/allowedHost', value: allowedHost }] as never,
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const refused = await put(['a.example', 'A.example']);
    expect([refused.status, refused.body.issue[0].expression]).toEqual([400, ['Bot.allowedHost[1]']]);
    expect((await put(['a.example', '*.b.example'])).body.allowedHost).toEqual(['a.example', '*.b.example']);
  });
});

test('a text that JSON would make six times as long arrives as it is', async () => {
  onTestFinished(changeSettings({ FETCH_PRIVATE_ADDRESSES: true }));
  const bot = await deployedBot(
    world,
    `export async function handler(medplum: any, event: any) {
      const text = await (await fetch(event.input.url)).text();
      return text === '\\u0001\\u0000é'.repeat(1000);
    }`,
  );
  const body = { url: `${address}controls` };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body });
  expect([answer.status, answer.text]).toEqual([200, 'true']);
});
