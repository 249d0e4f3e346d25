import { expect, test } from 'vitest';
import { callFhir } from '../fhir/call-fhir.ts';
import { makeFhirProject } from '../fhir/fhir-project.ts';
import { makeProfile } from '../fhir/profiles.ts';

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
