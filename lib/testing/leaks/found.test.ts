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
