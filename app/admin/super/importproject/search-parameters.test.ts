import { expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { addParam, EXTENSION, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';
import { makeWordedProject } from '#lib/testing/fhir/text-search.ts';
import { makeClient } from '#lib/testing/people.ts';
import { countRows, forget, importFile } from '#lib/testing/project-files.ts';
import { createSuperAdmin } from '#lib/testing/world.ts';

test('the search parameters and the words of a project come with its file, and are indexed where they arrive', async () => {
  const { projectId, admin } = await makeWordedProject();
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
  const search = (query: string) => callApi(basic, 'GET', `/fhir/R4/Patient?${query}`);
  const both = ['nick=rudi', '_content=rudi'];
  for (const query of both) expect([query, (await search(query)).status]).toEqual([query, 503]);
  await indexed(projectId);
  for (const query of both) {
    const { body: told } = await search(query);
    expect(told.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([id]);
  }
});
