import { expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Made = { resourceType: string; [name: string]: unknown };

/** Who sees observations and no patients, and the policy that somebody else has. */
async function makeScene() {
  const project = await makeFhirProject();
  const make = async (body: Made): Promise<string> =>
    (await callFhir(project.admin, 'POST', body.resourceType, { body })).body.id;
  const narrow = await project.member([{ resourceType: 'Observation' }], { admin: true });
  const member = await project.member([{ resourceType: 'Task' }]);
  const { body } = await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`);
  const policyId: string = body.accessPolicy.reference.slice('AccessPolicy/'.length);
  const effect = async (resource: object[], caller: Caller = narrow) => {
    const path = `/admin/projects/${project.projectId}/access-policies/${policyId}/effect`;
    const draft = { resourceType: 'AccessPolicy', name: 'Test', resource };
    const answer = await callApi(caller.authorization, 'POST', path, { body: draft });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  return { project, make, effect };
}

test('an administrator whom a policy limits does not learn of which types there are records', async () => {
  const { make, effect } = await makeScene();
  const before = await effect([{ resourceType: '*' }]);
  await make({
    resourceType: 'Condition',
    subject: { reference: `Patient/${await make({ resourceType: 'Patient' })}` },
  });
  expect(await effect([{ resourceType: '*' }])).toEqual(before);
});

test('nor what is in others, by the counts of criteria that ask of them', async () => {
  const { make, effect } = await makeScene();
  const male = await make({ resourceType: 'Patient', gender: 'male' });
  const subject = { reference: `Patient/${male}` };
  await make({ resourceType: 'Observation', status: 'final', code: { text: 'Dose' }, subject });
  const of = (gender: string) => [
    { resourceType: 'Observation', criteria: `Observation?subject:Patient.gender=${gender}` },
  ];
  expect(await effect(of('male'))).toEqual(await effect(of('female')));
});

test('what is too long to be counted in the time there is, is null, and nobody waits for it', async () => {
  const { project, make, effect } = await makeScene();
  await make({ resourceType: 'Patient', name: [{ family: 'A1' }] });
  const names = (from: number, count: number) => Array.from({ length: count }, (_, at) => `a${from + at}`).join(',');
  const rules = (count: number) =>
    [0, 1, 2, 3, 4].map((at) => ({ resourceType: 'Patient', criteria: `Patient?name=${names(at * count, count)}` }));
  const read = async (count: number) => {
    const { groups } = await effect(rules(count), project.admin);
    return groups[0].types.find(({ type }: { type: string }) => type === 'Patient').read;
  };
  expect(await read(10)).toEqual({ gained: 1, lost: 0 });
  expect(await read(1000)).toEqual({ gained: null, lost: 0 });
});
