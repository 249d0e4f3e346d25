import { expect, test } from 'vitest';
import { POLICY_TEMPLATES } from '#lib/protocol/access-policies/templates.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { changeMember } from '#lib/testing/people.ts';

function policyOf(key: string): AccessPolicy {
  return POLICY_TEMPLATES.find((template) => template.key === key)!.policy;
}

async function world(key: string) {
  const project = await makeFhirProject();
  const policy = policyOf(key);
  const saved = await callFhir(project.admin, 'POST', 'AccessPolicy', { body: policy });
  expect(saved.status, saved.text).toBe(201);
  const make = async (body: { resourceType: string; [key: string]: unknown }) => {
    const made = await callFhir(project.admin, 'POST', body.resourceType, { body });
    expect(made.status, made.text).toBe(201);
    return `${body.resourceType}/${made.body.id}`;
  };
  const give = (caller: Caller, name: string, reference: string) => {
    const parameter = [{ name, valueReference: { reference } }];
    const access = [{ policy: { reference: `AccessPolicy/${saved.body.id}` }, parameter }];
    const of = { projectId: project.projectId, membershipId: caller.membershipId };
    return changeMember(of, { accessPolicy: undefined, access });
  };
  return { project, make, give };
}

const OBSERVATION = { resourceType: 'Observation', status: 'final', code: { text: 'weight' } };

test('patient portal: a patient reads their own record, nobody else’s, and changes nothing', async () => {
  const { project, make, give } = await world('patient-portal');
  const [mine, other] = [await make({ resourceType: 'Patient' }), await make({ resourceType: 'Patient' })];
  const own = await make({ ...OBSERVATION, subject: { reference: mine } });
  const theirs = await make({ ...OBSERVATION, subject: { reference: other } });
  const caller = await project.member([]);
  await give(caller, 'patient', mine);
  const status = async (path: string) => (await callFhir(caller, 'GET', path)).status;
  expect([await status(mine), await status(own), await status(other), await status(theirs)]).toEqual([
    200, 200, 404, 404,
  ]);
  const put = await callFhir(caller, 'PUT', mine, { body: { resourceType: 'Patient', id: mine.split('/')[1] } });
  expect(put.status).toBe(403);
  expect((await callFhir(caller, 'POST', 'Observation', { body: OBSERVATION })).status).toBe(403);
});

test('ward nurse: reads the patients of the organization, writes observations of their own, deletes nothing', async () => {
  const { project, make, give } = await world('ward-nurse');
  const ward = await make({ resourceType: 'Organization', name: 'Ward' });
  const here = await make({ resourceType: 'Patient', managingOrganization: { reference: ward } });
  const elsewhere = await make({ resourceType: 'Patient' });
  const nurse = await make({ resourceType: 'Practitioner' });
  const caller = await project.member([]);
  await give(caller, 'organization', ward);
  expect((await callFhir(caller, 'GET', here)).status).toBe(200);
  expect((await callFhir(caller, 'GET', elsewhere)).status).toBe(404);
  const others = { ...OBSERVATION, performer: [{ reference: nurse }] };
  expect((await callFhir(caller, 'POST', 'Observation', { body: others })).status).toBe(403);
  const own = { ...OBSERVATION, performer: [{ reference: caller.profile }] };
  const made = await callFhir(caller, 'POST', 'Observation', { body: own });
  expect(made.status, made.text).toBe(201);
  const stored = await make({ ...OBSERVATION, performer: [{ reference: nurse }] });
  expect((await callFhir(caller, 'GET', stored)).status).toBe(200);
  expect((await callFhir(caller, 'DELETE', stored)).status).toBe(403);
});

test('billing: works on claims and coverage, reads patients, sees nothing clinical', async () => {
  const { project, make } = await world('billing');
  const caller = await project.member(policyOf('billing').resource);
  const patient = await make({ resourceType: 'Patient' });
  const body = { resourceType: 'Account', status: 'active', subject: [{ reference: patient }] };
  expect((await callFhir(caller, 'POST', 'Account', { body })).status).toBe(201);
  expect((await callFhir(caller, 'GET', patient)).status).toBe(200);
  expect((await callFhir(caller, 'DELETE', patient)).status).toBe(403);
  for (const type of ['Observation', 'Condition', 'MedicationRequest'])
    expect((await callFhir(caller, 'GET', type)).status, type).toBe(403);
});

test('researcher: sees conditions and birth dates, and no name, address, identifier, note or narrative', async () => {
  const { project, make } = await world('researcher');
  const caller = await project.member(policyOf('researcher').resource);
  const patient = await make({
    resourceType: 'Patient',
    birthDate: '1970-01-01',
    name: [{ family: 'Okonjo' }],
    address: [{ city: 'Okonjo' }],
    identifier: [{ value: 'Okonjo' }],
    text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Okonjo</div>' },
  });
  await make({ ...OBSERVATION, subject: { reference: patient }, note: [{ text: 'Okonjo came' }] });
  const read = await callFhir(caller, 'GET', patient);
  expect(read.body.birthDate).toBe('1970-01-01');
  const seen = await callFhir(caller, 'GET', 'Observation');
  expect(seen.body.entry).toHaveLength(1);
  expect(read.text + seen.text).not.toContain('Okonjo');
  expect((await callFhir(caller, 'POST', 'Observation', { body: OBSERVATION })).status).toBe(403);
});

test('bot that writes one type: creates Communications, and neither reads nor changes anything', async () => {
  const { project, make } = await world('bot');
  const caller = await project.member(policyOf('bot').resource);
  const body = { resourceType: 'Communication', status: 'completed' };
  expect((await callFhir(caller, 'POST', 'Communication', { body })).status).toBe(201);
  const stored = await make(body);
  expect((await callFhir(caller, 'GET', stored)).status).toBe(403);
  expect((await callFhir(caller, 'GET', 'Communication')).status).toBe(403);
  expect((await callFhir(caller, 'DELETE', stored)).status).toBe(403);
  expect((await callFhir(caller, 'POST', 'Observation', { body: OBSERVATION })).status).toBe(403);
});
