import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { findVersion } from '../store/find-history.ts';
import { seenNow } from './seen-now.ts';

test('what is told later is judged by what the resource is by then, too: what has become closed, and what has become hidden', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const body = { resourceType: 'Patient', gender: 'male', active: true, birthDate: '1970-01-01' };
  const { id } = (await callFhir(admin, 'POST', 'Patient', { body })).body;
  const { membershipId } = await member([
    { resourceType: 'Patient', criteria: 'Patient?active=true&gender=male' },
    { resourceType: 'Patient', criteria: 'Patient?active=true&gender=female', hiddenFields: ['birthDate'] },
  ]);
  const { value: actor } = await loadActor({ projectId, membershipId, scope: 'openid' });
  const told = async () => seenNow(actor, (await findVersion(projectId, 'Patient', id, 1))!);
  const change = (more: object) => callFhir(admin, 'PUT', `Patient/${id}`, { body: { ...body, id, ...more } });
  expect((await told())?.content).toContain('1970');
  expect((await change({ gender: 'female' })).status).toBe(200);
  expect((await told())?.content).not.toContain('1970');
  expect((await change({ active: false })).status).toBe(200);
  expect(await told()).toBeUndefined();
});
