import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../../../../docs/access-policies.md'), 'utf8');

test('every example of an explanation, and of tests of a policy, answers as docs/access-policies.md says', async () => {
  const project = await makeFhirProject();
  const { membershipId } = await project.member([{ resourceType: 'Patient' }]);
  const { accessPolicy } = (await callFhir(project.admin, 'GET', `ProjectMembership/${membershipId}`)).body;
  const policy = accessPolicy.reference.split('/')[1];
  const patient = (
    await callFhir(project.admin, 'POST', 'Patient', { body: { resourceType: 'Patient', active: true } })
  ).body.id;
  const examples = [...PAGE.matchAll(/^```http (\d+)\nPOST (\/admin\/\S+\/access\S*\/(?:explain|test))\n(.*?)^```/gms)];
  expect(examples).toHaveLength(4);
  for (const [, status, path = '', body = ''] of examples) {
    const known = body.replaceAll('{member}', membershipId).replaceAll('{patient}', patient);
    const at = path.replace('{id}', project.projectId).replace('{policy}', policy);
    const answer = await callApi(project.admin.authorization, 'POST', at, { body: JSON.parse(known) });
    expect(answer.status, answer.text).toBe(Number(status));
  }
});
