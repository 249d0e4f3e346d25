import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mountedOperations } from '#lib/http/fhir/operations/mounted.ts';
import { callFhir } from '../fhir/call-fhir.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { makeProfile } from '../fhir/profiles.ts';
import { operation } from './make-operation.ts';

/** What the questions of random worlds leave out, and why: all of them change something, or ask no record. */
const NOT_ASKED: Record<string, string> = {
  init: 'makes a project',
  import: 'reads no record',
  rescope: 'of a User, by who administers the server',
  'update-email': 'of a User, by themselves',
  deploy: 'asked below',
  execute: 'asked below',
  'get-ws-binding-token': 'takes a login, and reads the Subscription as a read does (websockets.alone.test.ts)',
  'meta-add': 'asked below',
  'meta-delete': 'asked below',
  'rotate-secret': 'asked below',
};

test('of every operation that is mounted the random worlds ask, or it is said why not', () => {
  const asked = fc
    .sample(operation, { numRuns: 3000, seed: 1 })
    .flatMap(({ path }) => /\$([\w-]+)/.exec(path)?.[1] ?? []);
  const mounted = new Set(mountedOperations().map(({ name }) => name));
  const left = [...mounted].filter((name) => !asked.includes(name));
  expect(left.toSorted()).toEqual(Object.keys(NOT_ASKED).toSorted());
});

test('what changes a record, or is about a program, says of a hidden one what it says of none', async () => {
  const { admin, member } = await makeFhirProject();
  const limited = await member(
    ['Patient', 'Bot', 'ClientApplication'].map((resourceType) => ({
      resourceType,
      criteria: `${resourceType}?_id=nobody`,
    })),
  );
  const make = async (body: { resourceType: string; name?: string }) => {
    const made = await callFhir(admin, 'POST', body.resourceType, { body });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const hidden = {
    Patient: await make({ resourceType: 'Patient' }),
    Bot: await make({ resourceType: 'Bot', name: 'x' }),
    ClientApplication: await make({ resourceType: 'ClientApplication', name: 'x' }),
  };
  const meta = { resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta: { tag: [{ code: 'x' }] } }] };
  for (const [type, name, body] of [
    ['Patient', '$meta-add', meta],
    ['Patient', '$meta-delete', meta],
    ['Bot', '$deploy', { code: 'exports.handler = () => 1' }],
    ['Bot', '$execute', {}],
    ['ClientApplication', '$rotate-secret', {}],
  ] as const) {
    const ask = async (id: string, who = limited) => {
      const said = await callFhir(who, body ? 'POST' : 'GET', `${type}/${id}/${name}`, body && { body });
      return [name, said.status, said.text.replaceAll(id, '…')];
    };
    expect(await ask(hidden[type])).toEqual(await ask(crypto.randomUUID()));
    expect(await ask(hidden[type], admin)).not.toEqual(await ask(crypto.randomUUID(), admin));
  }
});

/** What random worlds have found (leaks.alone.test.ts), each by itself. */

test('$validate tells nobody of a profile that they may not find, by its address or as a claim', async () => {
  const { admin, member } = await makeFhirProject();
  const body = makeProfile('hidden', 'Patient', [{ path: 'Patient.name', min: 1 }], { status: 'draft' });
  expect((await callFhir(admin, 'POST', 'StructureDefinition', { body })).status).toBe(201);
  const visible = { resourceType: 'StructureDefinition', criteria: 'StructureDefinition?status=active' };
  const [blind, seeing] = [await member([{ resourceType: 'Patient' }, visible]), await member()];
  const validate = async (who: typeof blind, profile: string) => {
    const patient = { resourceType: 'Patient', active: true };
    const claim = { ...patient, meta: { profile: [profile] } };
    const asked = await callFhir(who, 'POST', `Patient/$validate?profile=${profile}`, { body: patient });
    const claimed = await callFhir(who, 'POST', 'Patient/$validate', { body: claim });
    return [asked.text, claimed.text].map((text) => text.replaceAll(profile, '…'));
  };
  expect(await validate(blind, body.url)).toEqual(await validate(blind, 'urn:nowhere'));
  expect(await validate(seeing, body.url)).not.toEqual(await validate(seeing, 'urn:nowhere'));
});

test('what is asked by a composite finds what a policy lets through, whatever its criteria', async () => {
  const { admin, member } = await makeFhirProject();
  const entry = Array.from({ length: 9 }, (_, at) => {
    const code = { coding: [{ system: 'urn:c', code: `c${1 + (at % 2)}` }] };
    const fields = { status: 'final', code, valueQuantity: { value: at, unit: 'kg' } };
    const resource = { resourceType: 'Observation', ...fields, ...(at % 3 === 0 && { effectiveDateTime: '1999' }) };
    return { resource, request: { method: 'POST', url: 'Observation' } };
  });
  const made = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(made.status, made.text).toBe(200);
  const criteria = 'Observation?date:missing=true';
  const limited = await member([{ resourceType: 'Observation', criteria, hiddenFields: ['encounter', 'performer'] }]);
  const asked = 'code-value-quantity=c2$gt2';
  const found = await callFhir(limited, 'GET', `Observation?${asked}&_total=accurate`);
  const expected = await callFhir(admin, 'GET', `${criteria}&${asked}&_total=accurate`);
  expect([found.body.total, found.body.entry?.length]).toEqual([expected.body.total, expected.body.entry?.length]);
  expect(found.body.total).toBe(2);
});
