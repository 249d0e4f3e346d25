import { afterAll, describe, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { keyOf } from '#lib/protocol/bots/wants/wants.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);

const bot = (body: string) => `export async function handler(medplum, event) { ${body} }`;

async function makeBot(world: World, code?: string, policy?: object[]): Promise<string> {
  const accessPolicy =
    policy &&
    (
      await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', {
        body: { resourceType: 'AccessPolicy', name: 'Little', resource: policy },
      })
    ).body.id;
  const body = { name: 'Wants', ...(accessPolicy && { accessPolicy: { reference: `AccessPolicy/${accessPolicy}` } }) };
  const made = await world.call('POST', '/bot', { body });
  expect(made.status, made.text).toBe(201);
  if (code) await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body: { code } });
  return made.body.id;
}

async function wantsOf(world: World, botId: string, code: string) {
  const checked = await world.call('POST', `/bots/${botId}/check`, { body: { code } });
  expect(checked.status, checked.text).toBe(200);
  return checked.body.wants;
}

describe('200', () => {
  test('what the code wants besides what is live, and what it wants no more', async () => {
    const world = await createWorld();
    const botId = await makeBot(
      world,
      bot('await medplum.searchResources("Task"); await fetch("https://a.example/x");'),
    );
    const wants = await wantsOf(
      world,
      botId,
      bot(
        'await medplum.searchResources("Task"); await medplum.createResource({ resourceType: "Basic" }); await fetch(event.input);',
      ),
    );
    expect(wants).toEqual({
      added: [{ kind: 'resource', type: 'Basic', interaction: 'create' }],
      removed: [{ kind: 'host', name: 'a.example' }],
      refused: [],
      unclear: [{ call: 'fetch', line: 1 }],
    });
  });

  test('what runs of the live version have used is nothing new, though its source does not say it', async () => {
    const world = await createWorld();
    const live = bot('const t = event.input.t; return medplum.searchResources(t);');
    const botId = await makeBot(world, live);
    const draft = bot('return medplum.searchResources("Basic");');
    expect((await wantsOf(world, botId, draft)).added.map(keyOf)).toEqual(['resource Basic search']);
    await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${botId}/$execute`, { body: { t: 'Basic' } });
    await flushRuns();
    expect((await wantsOf(world, botId, draft)).added).toEqual([]);
  });

  test('what would be refused today is said, with what refuses it', async () => {
    const world = await createWorld();
    const botId = await makeBot(world, undefined, [{ resourceType: 'Task', readonly: true }]);
    const patch = [{ op: 'add', path: '/allowedHost', value: ['a.example'] }];
    const headers = { 'content-type': 'application/json-patch+json' };
    await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${botId}`, { body: patch, headers });
    await world.call('PUT', `/bots/${botId}/secrets/KNOWN`, { body: { valueString: 'x' } });
    const code = bot(`
      await medplum.searchResources("Task");
      await medplum.updateResource({ resourceType: "Task" });
      await fetch("https://a.example"); await fetch("https://b.example");
      return event.secrets.KNOWN && event.secrets.LOST;`);
    expect((await wantsOf(world, botId, code)).refused).toEqual([
      { kind: 'host', name: 'b.example', because: 'host' },
      { kind: 'resource', type: 'Task', interaction: 'update', because: 'policy' },
      { kind: 'secret', name: 'LOST', because: 'secret' },
    ]);
  });
});

test('400 for code that does not compile', async () => {
  const world = await createWorld();
  const botId = await makeBot(world);
  expectOutcome(await world.call('POST', `/bots/${botId}/check`, { body: { code: 'const = ;' } }), 400, 'code');
});
