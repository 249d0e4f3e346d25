import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

test('what somebody may do is told to who sees every membership and every policy, by each of the routes alike', async () => {
  const [above, project] = [await makeFhirProject(true), await makeFhirProject()];
  const member = await project.member([{ resourceType: 'Patient' }]);
  const { body } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
  const patient = await callFhir(project.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } });
  const resource = `resource=Patient/${patient.body.id}`;
  const policyId = body.accessPolicy.reference.slice('AccessPolicy/'.length);
  const draft = { resourceType: 'AccessPolicy', name: 'Test', resource: [{ resourceType: 'Task' }] };
  const explained = {
    membership: `ProjectMembership/${member.membershipId}`,
    interaction: 'read',
    resourceType: 'Patient',
  };
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', `access/who?${resource}`],
    ['GET', `access-as-of?${resource}&at=${new Date().toISOString()}`],
    ['POST', 'access/explain', explained],
    ['GET', `access/decisions/${newId()}`],
    ['GET', `members/${member.membershipId}/permissions`],
    ['POST', `members/${member.membershipId}/effect`, { accessPolicy: body.accessPolicy }],
    ['POST', `access-policies/${policyId}/effect`, draft],
  ];
  const both = [{ resourceType: 'ProjectMembership' }, { resourceType: 'AccessPolicy' }];
  const some = { resourceType: 'AccessPolicy', criteria: `AccessPolicy?_id=${policyId}` };
  const rules = [{ resourceType: 'Project' }, { resourceType: '*' }];
  for (const [more, isTold] of [
    [[], false],
    [[both[0]!], false],
    [[both[1]!], false],
    [[both[0]!, some], false],
    [both, true],
  ] as const) {
    const { authorization } = await above.member([...rules, ...more]);
    for (const [method, path, asked] of routes) {
      const answer = await callApi(authorization, method, `/admin/projects/${project.projectId}/${path}`, {
        body: asked,
      });
      if (isTold) expect([path, answer.status]).toEqual([path, path.includes('decisions') ? 404 : 200]);
      else expectOutcome(answer, 403);
    }
  }
});
