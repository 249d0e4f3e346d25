import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

async function run(source: string, changes = {}) {
  return readable(await supervisor.run(await jobOf(source, changes)));
}

describe('a bot that imports from @medplum/core', () => {
  it('has the peer’s own client, signed in as the bot', async () => {
    const result = await run(`
      import { MedplumClient, createReference } from '@medplum/core';
      ${handlerOf(`return [medplum instanceof MedplumClient, medplum.getProfile().resourceType, medplum.getProject().id,
        medplum.isProjectAdmin(), medplum.fhirUrl('Patient', '1').toString(), createReference({ resourceType: 'Patient', id: '1' })];`)}`);
    expect(result).toMatchObject({
      ok: true,
      value: {
        value: [true, 'Bot', 'project-1', false, 'http://localhost:3000/fhir/R4/Patient/1', { reference: 'Patient/1' }],
      },
    });
  });

  it('is given an HL7 message of the class that it imports', async () => {
    const result = await run(
      `import { Hl7Message } from '@medplum/core';
      ${handlerOf(`return [event.input instanceof Hl7Message, event.input.getSegment('MSH').getField(9).toString(), event.input.buildAck().toString().includes('MSA|AA')]`)}`,
      { event: { kind: 'hl7', value: 'MSH|^~\\&|A|B|C|D|20240101||ADT^A01|1|P|2.5\rPID|1||2' } },
    );
    expect(result).toMatchObject({ ok: true, value: { value: [true, 'ADT^A01', true] } });
  });

  it('asks over the bridge, and throws what is answered with an error', async () => {
    const asked: unknown[] = [];
    const call = async (method: string, args: unknown[]) => {
      asked.push([method, ...args]);
      const isFound = JSON.stringify(args).includes('Patient/1');
      const body = isFound
        ? { resourceType: 'Patient', id: '1' }
        : {
            resourceType: 'OperationOutcome',
            id: 'not-found',
            issue: [{ severity: 'error', code: 'not-found', details: { text: 'Not found' } }],
          };
      return {
        status: isFound ? 200 : 404,
        headers: { 'content-type': 'application/fhir+json' },
        body: JSON.stringify(body),
      };
    };
    const result = await run(
      `import { isNotFound, OperationOutcomeError } from '@medplum/core';
      ${handlerOf(`const found = await medplum.readResource('Patient', '1');
        try { await medplum.readResource('Patient', '2'); }
        catch (error) { return [found.id, error instanceof OperationOutcomeError, isNotFound(error.outcome), error.message]; }`)}`,
      { call },
    );
    expect(result).toMatchObject({ ok: true, value: { value: ['1', true, true, 'Not found'] } });
    expect(asked).toMatchObject([
      ['api', { method: 'GET', path: '/fhir/R4/Patient/1' }],
      ['api', { method: 'GET', path: '/fhir/R4/Patient/2' }],
    ]);
  });
});

it('another server gets what the bot signs in with there, and never our own token', async () => {
  const asked: unknown[] = [];
  const call = async (method: string, [request]: unknown[]) => {
    asked.push([method, (request as { headers: unknown }).headers]);
    return {
      status: 200,
      statusText: 'OK',
      url: 'https://partner.example/x',
      redirected: false,
      headers: [],
      body: '',
    };
  };
  const { session: own } = await jobOf(handlerOf('return 1'));
  const session = { ...own, accessToken: 'ours' };
  const ask = (token: string) =>
    `await medplum.get('https://partner.example/x', { headers: { Authorization: 'Bearer ${token}' } }).catch(() => {});`;
  await run(handlerOf(`${ask('theirs')} ${ask('ours')}`), { call, session });
  expect(asked).toHaveLength(2);
  expect(JSON.stringify(asked[0])).toContain('Bearer theirs');
  expect(JSON.stringify(asked[1])).not.toContain('ours');
});

it('what was too much at this moment the client asks for once more', async () => {
  let times = 0;
  const call = async () => {
    times += 1;
    if (times === 1) throw new AppError('too-many-requests', 'Later');
    return { status: 200, headers: { 'content-type': 'application/json' }, body: '{"resourceType":"Bundle"}' };
  };
  const body = 'return medplum.executeBatch({ resourceType: "Bundle", type: "batch", entry: [] });';
  expect(await run(handlerOf(body), { call })).toMatchObject({
    ok: true,
    value: { value: { resourceType: 'Bundle' } },
  });
  expect(times).toBe(2);
});

it('a bot that imports nothing has every method of the client all the same', async () => {
  const call = async (method: string) =>
    method === 'api'
      ? { status: 200, headers: { 'content-type': 'application/json' }, body: '{"resourceType":"Bundle"}' }
      : { id: '7' };
  const result = await run(
    handlerOf(`const read = await medplum.readResource('Patient', '7');
      const bundle = await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry: [] });
      return [read.id, bundle.resourceType, typeof globalThis.__core, medplum.getProfile().id, typeof medplum.nothing];`),
    { call },
  );
  expect(result).toMatchObject({ ok: true, value: { value: ['7', 'Bundle', 'undefined', '1', 'undefined'] } });
});

describe('what lacks something', () => {
  const ASKED = [
    'readReference({})',
    'readReference({ reference: "Patient" })',
    'readReference({ reference: "/1" })',
    'readReference({ reference: "Patient/" })',
    'readReference(undefined)',
    'readResource("Patient", "")',
    'readResource("Patient")',
    'createResource({})',
    'createResource(undefined)',
    'updateResource({ resourceType: "Patient" })',
    'updateResource({ id: "1" })',
  ];
  const told = ASKED.map((asked) => `await said(async () => medplum.${asked})`).join();
  const body =
    handlerOf(`const said = (ask: any) => ask().then((value: any) => value, (error: any) => [error.name, error.message]);
    return [${told}, (await medplum.readReference({ reference: 'system' })).display];`);

  it('is told in the words of the peer’s client, whether a bot imports it or not', async () => {
    const [bare, withCore] = [
      await run(body),
      await run(`import { MedplumClient } from '@medplum/core';
      export const client = MedplumClient; ${body}`),
    ];
    expect(withCore).toMatchObject({ ok: true });
    expect(bare).toMatchObject({ value: (withCore as { value: unknown }).value });
  });
});
