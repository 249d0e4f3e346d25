import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

/** What its client is answered: a status and a text for each `[method, path, body]`. */
const ASKS = `export async function handler(medplum, event) {
  const answers = [];
  for (const [method, path, body] of event.input) {
    const headers = { 'content-type': 'application/fhir+json' };
    const answer = await medplum.fetch(medplum.getBaseUrl() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    answers.push([answer.status, await answer.text()]);
  }
  return answers;
}`;

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function ask(
  bot: string,
  ...asked: [method: string, path: string, body?: object][]
): Promise<[number, string][]> {
  const headers = { 'content-type': 'application/json' };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: asked, headers });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

describe('403', () => {
  test.each([{}, { runAsUser: true }])(
    'no bot gets what listens with the session of its caller: %j',
    async (fields) => {
      const body = {
        ...{ resourceType: 'Subscription', status: 'active', reason: 'x', criteria: 'Patient' },
        channel: { type: 'websocket' },
      };
      const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Subscription', { body });
      const bot = await deployedBot(world, ASKS, fields);
      const path = `fhir/R4/Subscription/${made.body.id}/$get-ws-binding-token`;
      const [[status, text]] = (await ask(bot, ['GET', path])) as [[number, string]];
      expect([status, text]).toEqual([403, expect.stringContaining('does not listen')]);
    },
  );

  test('a bot that runs as its caller does nothing for which that person must prove who they are', async () => {
    const bot = await deployedBot(world, ASKS, { runAsUser: true });
    const project = `admin/projects/${world.projectId}`;
    const answers = await ask(
      bot,
      ['GET', `${project}/runs`],
      ['GET', `${project}/export`],
      ['POST', `${project}/runs/${newId()}/reveal`, { reason: 'somebody asked' }],
      ['PUT', `${project}/bots/${bot}/secrets/KEY`, { valueString: 'of somebody else' }],
    );
    expect(answers.map(([status]) => status)).toEqual([200, 403, 403, 403]);
    const [, ...refused] = answers;
    for (const [, text] of refused) expect(text).toContain('show who they are');
  });
});

test('a bot that runs as its caller has no token of theirs, also where that is another bot', async () => {
  const code = 'export async function handler(medplum) { return { token: medplum.getAccessToken() ?? null }; }';
  const [asCaller, itself] = [await deployedBot(world, code, { runAsUser: true }), await deployedBot(world, code)];
  const calls = await deployedBot(
    world,
    `export async function handler(medplum) {
      return [await medplum.executeBot('${asCaller}', {}), await medplum.executeBot('${itself}', {})];
    }`,
  );
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${calls}/$execute`, { body: {} });
  expect(answer.body).toEqual([{ token: null }, { token: expect.any(String) }]);
});
