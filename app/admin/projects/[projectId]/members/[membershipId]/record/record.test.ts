import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { makeClient } from '#lib/testing/people.ts';
import { createWorld } from '#lib/testing/world.ts';

test('every resource of the patient and no other’s, as it is now, a line each', async () => {
  const world = await createWorld();
  const member = await world.invite({ resourceType: 'Patient' });
  const { reference } = member.profile;
  const make = async (resource: object) => {
    const answer = await callApi(
      world.owner.bearer,
      'POST',
      `/fhir/R4/${(resource as { resourceType: string }).resourceType}`,
      {
        body: resource,
      },
    );
    expect(answer.status, answer.text).toBe(201);
    return answer.body.id as string;
  };
  const code = { text: 'Dose' };
  const observation = (subject: string) => ({
    resourceType: 'Observation',
    status: 'final',
    code,
    subject: { reference: subject },
  });
  const other = await make({ resourceType: 'Patient' });
  const own: string[] = [];
  for (let n = 0; n < 5; n += 1) own.push(await make(observation(reference)));
  own.push(await make({ resourceType: 'Condition', code, subject: { reference } }));
  const gone = await make(observation(reference));
  await callApi(world.owner.bearer, 'DELETE', `/fhir/R4/Observation/${gone}`);
  const strange = await make(observation(`Patient/${other}`));

  const answer = await world.call('GET', `/members/${member.id}/record`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/fhir+ndjson; charset=utf-8']);
  const ids = answer.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(expect.arrayContaining([reference.slice('Patient/'.length), ...own]));
  for (const id of [gone, strange, other]) expect(ids).not.toContain(id);
  const { rows } = (await world.call('GET', '/audit?action=membership.export')).body;
  expect(rows[0]).toMatchObject({ actor: { display: 'Olga Owner' }, after: { record: reference } });
});

test('for administrators who have all of the project, of a patient who is there', async () => {
  const world = await createWorld();
  const patient = await world.invite({ resourceType: 'Patient' });
  const doctor = await world.invite();
  const path = `/members/${patient.id}/record`;
  const member = await makeClient(world.projectId);
  expectOutcome(await world.call('GET', path, { bearer: member.basic }), 403);
  expectOutcome(await world.call('GET', path, { bearer: (await createWorld()).owner.bearer }), 403);
  expectOutcome(await world.call('GET', `/members/${newId()}/record`), 404);
  expectOutcome(await world.call('GET', '/members/none/record'), 404);
  expectOutcome(await world.call('GET', `/members/${doctor.id}/record`), 409, 'profile');
  const project = await makeFhirProject();
  const limited = await project.member([{ resourceType: 'Patient' }], { admin: true });
  const own = `/admin/projects/${project.projectId}/members/${limited.membershipId}/record`;
  expectOutcome(await callApi(limited.authorization, 'GET', own), 403);
});
