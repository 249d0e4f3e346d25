import { expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { addParam, EXTENSION, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';
import { makeClient } from '#lib/testing/people.ts';
import { countRows, forget, importFile } from '#lib/testing/project-files.ts';
import { createSuperAdmin } from '#lib/testing/world.ts';

test('the search parameters of a project come with its file, and are indexed where they arrive', async () => {
  const { projectId, admin } = await makeFhirProject();
  const superAdmin = await createSuperAdmin();
  const expression = `Patient.extension('${EXTENSION}').value.ofType(string)`;
  await addParam(admin, searchParameter('Patient', 'nick', 'string', expression));
  const body = { resourceType: 'Patient', extension: [{ url: EXTENSION, valueString: 'Rudi' }] };
  const { id } = (await callFhir(admin, 'POST', 'Patient', { body })).body;
  await indexed(projectId);
  const file = await callApi(superAdmin, 'GET', `/admin/projects/${projectId}/export`);
  await forget(projectId);
  expect(await countRows(projectId)).toEqual({});
  const answer = await importFile(superAdmin, file.text);
  expect(answer.status, answer.text).toBe(201);
  const { basic } = await makeClient(projectId, {}, { admin: true });
  const search = () => callApi(basic, 'GET', '/fhir/R4/Patient?nick=rudi');
  expect((await search()).status).toBe(503);
  await indexed(projectId);
  expect((await search()).body.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([id]);
});
