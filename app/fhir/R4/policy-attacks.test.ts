import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { indexed } from '#lib/testing/fhir/own-params.ts';

const make = async (by: Caller, body: { resourceType: string }) => callFhir(by, 'POST', body.resourceType, { body });

test('a condition on a hidden field in a search parameter of the project’s own tells nothing', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const clerk = await member([
    { resourceType: 'Patient', hiddenFields: ['gender'] },
    { resourceType: 'SearchParameter' },
  ]);
  await make(admin, { resourceType: 'Patient', gender: 'male', name: [{ family: 'Ann' }] } as never);
  const made = await make(clerk, {
    ...{ resourceType: 'SearchParameter', url: 'urn:men', name: 'Men', status: 'active', description: 'x' },
    ...{ code: 'men', base: ['Patient'], type: 'string', expression: "Patient.where(gender='male').name" },
  });
  expect([made.status, made.body.issue]).toEqual([201, undefined]);
  await indexed(projectId);
  expect((await callFhir(admin, 'GET', 'Patient?men=Ann')).body.entry).toHaveLength(1);
  for (const query of ['men=Ann', 'men:missing=true', '_sort=men', '_filter=men eq Ann']) {
    expect([query, (await callFhir(clerk, 'GET', `Patient?${query}`)).status]).toEqual([query, 403]);
  }
});

test('of a new resource what is read-only by the rule that holds of what is left of it is left out', async () => {
  const { admin, member } = await makeFhirProject();
  const clerk = await member([
    { resourceType: 'Patient', criteria: 'Patient?gender=male', readonlyFields: ['gender'] },
    { resourceType: 'Patient', hiddenFields: ['address'], readonlyFields: ['birthDate'] },
  ]);
  const body = { resourceType: 'Patient', gender: 'male', birthDate: '1980-01-01', address: [{ city: 'X' }] };
  const made = await make(clerk, body);
  expect(made.status).toBe(201);
  const { body: stored } = await callFhir(admin, 'GET', `Patient/${made.body.id}`);
  expect([stored.gender, stored.birthDate, stored.address]).toEqual([undefined, undefined, undefined]);
});

test('$everything with start and end tells nothing of a date that is hidden', async () => {
  const { admin, member } = await makeFhirProject();
  const clerk = await member([
    { resourceType: 'Patient', readonly: true },
    { resourceType: 'Observation', criteria: 'Observation?status=final', hiddenFields: ['effective[x]'] },
    { resourceType: 'Observation' },
  ]);
  const patient = (await make(admin, { resourceType: 'Patient' })).body.id;
  const of = (status: string, effectiveDateTime: string) =>
    make(admin, {
      ...{ resourceType: 'Observation', status, code: { text: 'x' }, effectiveDateTime },
      ...{ subject: { reference: `Patient/${patient}` } },
    });
  const hidden = (await of('final', '2020-05-05')).body.id;
  const plain = (await of('amended', '2020-05-05')).body.id;
  const ids = async (by: Caller, query: string) => {
    const { body } = await callFhir(by, 'GET', `Patient/${patient}/$everything?_type=Observation&${query}`);
    return body.entry?.map(({ resource }: { resource: { id: string } }) => resource.id).sort() ?? [];
  };
  const [there, gone] = ['start=2020-05-01&end=2020-06-01', 'start=2021-05-01'];
  expect([await ids(admin, there), await ids(admin, gone)]).toEqual([[hidden, plain].sort(), []]);
  // What has no date is always there.
  expect([await ids(clerk, there), await ids(clerk, gone)]).toEqual([[hidden, plain].sort(), [hidden]]);
});
