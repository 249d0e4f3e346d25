import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { addParam, EXTENSION, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';
import { START_CTX } from '#lib/testing/world.ts';
import { loadActor } from '../../sessions/load-actor.ts';
import { readResource } from '../read-resource.ts';
import { searchResources } from './search-resources.ts';

test('who began before a search parameter of the project was over is let through by no criteria that ask by it, whatever they exclude', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const team = searchParameter(
    'Patient',
    'team',
    'token',
    `Patient.extension('${EXTENSION}/team').value.ofType(Coding)`,
  );
  const id = await addParam(admin, team);
  const extension = [{ url: `${EXTENSION}/team`, valueCoding: { code: 'red' } }];
  const red = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', extension } })).body.id;
  await indexed(projectId);
  const { membershipId } = await member([{ resourceType: 'Patient', criteria: 'Patient?team:not=red' }]);
  const { value: actor } = await loadActor({ projectId, membershipId, scope: 'openid' });
  const ctx = { ...START_CTX, actor };
  const search = () => searchResources(ctx, 'Patient', []);
  expect(JSON.parse(await search()).entry ?? []).toEqual([]);
  await expect(readResource(ctx, 'Patient', red)).rejects.toMatchObject({ code: 'not-found' });
  const retired = { ...team, id, status: 'retired' };
  expect((await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: retired })).status).toBe(200);
  await indexed(projectId);
  await expect(search()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(readResource(ctx, 'Patient', red)).rejects.toMatchObject({
    code: expect.stringMatching(/forbidden|not-found/),
  });
});

test('nor is what a rule hides that asks by it shown by those after it', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const team = searchParameter('Patient', 'group', 'token', 'Patient.language');
  const id = await addParam(admin, team);
  const body = { resourceType: 'Patient', language: 'de', gender: 'male' };
  const patient = (await callFhir(admin, 'POST', 'Patient', { body })).body.id;
  await indexed(projectId);
  const { membershipId } = await member([
    { resourceType: 'Patient', criteria: 'Patient?group=de', hiddenFields: ['gender'] },
    { resourceType: 'Patient' },
  ]);
  const { value: actor } = await loadActor({ projectId, membershipId, scope: 'openid' });
  const ctx = { ...START_CTX, actor };
  const content = async () => (await readResource(ctx, 'Patient', patient)).content;
  expect(await content()).not.toContain('male');
  const retired = { ...team, id, status: 'retired' };
  expect((await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: retired })).status).toBe(200);
  await indexed(projectId);
  expect(await content()).not.toContain('male');
  await expect(searchResources(ctx, 'Patient', [['gender', 'male']])).rejects.toMatchObject({ code: 'forbidden' });
});
