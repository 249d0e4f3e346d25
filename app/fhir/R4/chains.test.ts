import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
const { made, make } = namedResources(() => admin);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const clinic = await make('clinic', { resourceType: 'Organization', name: 'Clinic of the North' });
  const grey = await make('grey', { resourceType: 'Practitioner', gender: 'female', name: [{ family: 'Grey' }] });
  const ann = await make('ann', {
    resourceType: 'Patient',
    gender: 'female',
    birthDate: '1980-02-29',
    name: [{ family: 'Ångström' }],
    generalPractitioner: [{ reference: `${FHIR_BASE}/${grey}/_history/1` }, { reference: clinic }],
  });
  const bob = await make('bob', {
    resourceType: 'Patient',
    birthDate: '1990',
    name: [{ family: 'Grey' }],
    generalPractitioner: [{ reference: '#inside' }],
    contained: [{ resourceType: 'Practitioner', id: 'inside', name: [{ family: 'Grey' }] }],
  });
  const observe = (name: string, subject: object | undefined, code: string) =>
    make(name, {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'urn:c', code }] },
      subject,
    });
  await observe('first', { reference: ann }, 'a');
  await observe('second', { reference: ann }, 'b');
  await observe('third', { reference: bob }, 'a');
  await observe('none', undefined, 'c');
});

async function find(path: string, caller = admin): Promise<string[]> {
  const answer = await callFhir(caller, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return namesOf(answer.body);
}

function namesOf(bundle: Body): string[] {
  const ids = (bundle.entry ?? []).map((entry: Body) => entry.resource.id);
  return Object.keys(made)
    .filter((name) => ids.includes(made[name].id))
    .sort();
}

describe('chains and _has', () => {
  test.each([
    ['Observation?subject:Patient.name=ang', 'first second'],
    ['Observation?subject.name=ang', 'first second'],
    ['Observation?patient.name=ang,grey', 'first second third'],
    ['Observation?subject:Patient.name:exact=Grey', 'third'],
    ['Observation?subject:Patient.birthdate=lt1985', 'first second'],
    ['Observation?subject:Patient.gender:not=female', 'third'],
    ['Observation?subject:Patient.gender:missing=true', 'third'],
    ['Observation?subject:Patient._id=nobody', ''],
    ['Observation?subject:Patient.name=ang&code=b', 'second'],
    ['Observation?subject:Patient.name=ang&subject:Patient.name=grey', ''],
    ['Observation?subject:Patient.general-practitioner:Practitioner.name=grey', 'first second'],
    ['Observation?patient.general-practitioner.name=clinic', 'first second'],
    ['Observation?patient.general-practitioner:Organization.name=grey', ''],
    ['Patient?general-practitioner.name=grey', 'ann'],
    ['Patient?_has:Observation:patient:code=urn:c|a', 'ann bob'],
    ['Patient?_has:Observation:patient:code=b', 'ann'],
    ['Patient?_has:Observation:subject:code=b&_has:Observation:subject:code=a', 'ann'],
    ['Practitioner?_has:Patient:general-practitioner:_has:Observation:patient:code=b', 'grey'],
    ['Observation?subject:Patient._has:Observation:patient:code=b', 'first second'],
    ['Patient?_has:Observation:patient:subject:Patient.name=grey', 'bob'],
  ])('%s', async (path, names) => {
    expect((await find(path)).join(' ')).toBe(names);
    const counted = await callFhir(admin, 'GET', `${path}&_total=accurate&_count=1`);
    expect(counted.body.total).toBe(names === '' ? 0 : names.split(' ').length);
  });

  test('they page, sort, go by POST, and are told by the self link', async () => {
    const path = 'Observation?patient.name=ang&_sort=_id&_count=1';
    const first = (await callFhir(admin, 'GET', path)).body;
    const link = (relation: string) => first.link.find((item: Body) => item.relation === relation).url;
    expect(decodeURIComponent(link('self'))).toBe(`${FHIR_BASE}/${path}`);
    const second = await find(link('next').slice(FHIR_BASE.length + 1));
    expect([...namesOf(first), ...second].sort()).toEqual(['first', 'second']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await callFhir(admin, 'POST', 'Observation/_search', { body: 'subject.name=ang', headers });
    expect(namesOf(posted.body)).toEqual(['first', 'second']);
  });

  test.each([
    ['Observation', 'subject:Patient.nosuch', 'x'],
    ['Observation', 'subject:Practitioner.name', 'x'],
    ['Observation', 'subject:Nothing.name', 'x'],
    ['Observation', 'subject.nosuch', 'x'],
    ['Observation', 'code.name', 'x'],
    ['Observation', '_compartment:Patient.name', 'x'],
    ['Observation', 'subject:Patient.name:nosuch', 'x'],
    ['Observation', 'subject:Patient.birthdate', 'soon'],
    ['Observation', 'subject:Patient.', 'x'],
    ['Observation', 'subject:Patient.name', ''],
    ['Provenance', 'target._id', 'x'],
    ['QuestionnaireResponse', 'questionnaire.nosuch', 'x'],
    ['Patient', '_has:Observation:code:code', 'x'],
    ['Patient', '_has:Observation:encounter:code', 'x'],
    ['Patient', '_has:Observation', 'x'],
    ['Patient', '_has', 'x'],
    ['Patient', '_has:Observation:patient:', 'x'],
    ['Patient', '_has:Observation:patient:_has:AuditEvent:entity:agent', 'x'],
    ['Patient', `${'link:Patient.'.repeat(50)}name`, 'x'],
    ['Patient', `${'_has:Patient:link:'.repeat(50)}name`, 'x'],
    ['Patient', `${'_has:Patient:link:'.repeat(20_000)}name`.slice(0, 4000), 'x'],
  ])('400 for %s?%s', async (type, name, value) => {
    const answer = await callFhir(admin, 'GET', `${type}?${new URLSearchParams([[name, value]])}`);
    expect(answer.status, answer.text.slice(0, 400)).toBe(400);
    expect(name.startsWith(answer.body.issue[0].expression[0])).toBe(true);
  });

  test('twenty of them at most, however they are named', async () => {
    const chains = (count: number) => Array.from({ length: count }, () => 'patient.name=ang').join('&');
    expect(await find(`Observation?${chains(20)}`)).toEqual(['first', 'second']);
    for (const query of [chains(21), chains(100)]) {
      expectIssue(await callFhir(admin, 'GET', `Observation?${query}`), 400, 'invalid', 'patient.name');
    }
  });

  test('what is deleted leads nowhere, and what no longer refers', async () => {
    const { body: bed } = await callFhir(admin, 'POST', 'Location', {
      body: { resourceType: 'Location', name: 'Bed' },
    });
    const room = { resourceType: 'Location', partOf: { reference: `Location/${bed.id}` } };
    const { body: part } = await callFhir(admin, 'POST', 'Location', { body: room });
    const count = async (query: string) =>
      (await callFhir(admin, 'GET', `Location?${query}&_summary=count`)).body.total;
    expect([await count('partof.name=bed'), await count(`_has:Location:partof:_id=${part.id}`)]).toEqual([1, 1]);
    await callFhir(admin, 'DELETE', `Location/${bed.id}`);
    expect([await count('partof.name=bed'), await count(`_has:Location:partof:_id=${part.id}`)]).toEqual([0, 0]);
  });

  test('a resource that refers to itself is found once', async () => {
    const id = made.clinic.id;
    const body = { ...made.clinic, partOf: { reference: `Organization/${id}` } };
    made.clinic = (await callFhir(admin, 'PUT', `Organization/${id}`, { body })).body;
    const rings = `${'partof.'.repeat(4)}name=clinic`;
    expect((await callFhir(admin, 'GET', `Organization?${rings}&_total=accurate`)).body.total).toBe(1);
    expect(await find('Organization?_has:Organization:partof:partof.name=clinic')).toEqual(['clinic']);
  });
});

describe('within reach', () => {
  test('a chain tells nothing of what the caller may not search', async () => {
    const blind = await project.member([
      { resourceType: 'Observation' },
      { resourceType: 'Patient', interaction: ['read'] },
    ]);
    for (const path of [
      'Observation?subject:Patient.name=ang',
      'Observation?patient.name=zzz',
      'Observation?subject:Location._has:Patient:general-practitioner:name=a',
    ]) {
      const answer = await callFhir(blind, 'GET', path);
      expect([400, 403], `${path} ${answer.text}`).toContain(answer.status);
    }
    const women = await project.member([
      { resourceType: 'Observation' },
      { resourceType: 'Patient', criteria: 'Patient?gender=female' },
    ]);
    expect(await find('Observation?subject:Patient.name=ang,grey', women)).toEqual(['first', 'second']);
    expect(await find('Observation?subject:Patient.gender:missing=true', women)).toEqual([]);
    const codes = await project.member([
      { resourceType: 'Patient' },
      { resourceType: 'Observation', criteria: 'Observation?code=b' },
    ]);
    expect(await find('Patient?_has:Observation:patient:status=final', codes)).toEqual(['ann']);
  });

  test('nor of another project, whose resource has the same id', async () => {
    const other = await makeFhirProject();
    const subject = { reference: `Patient/${made.ann.id}` };
    const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' }, subject };
    await callFhir(other.admin, 'POST', 'Observation', { body });
    expect((await callFhir(other.admin, 'GET', 'Observation?subject:Patient.name=ang')).body.entry).toBeUndefined();
    expect((await callFhir(other.admin, 'GET', 'Patient?_has:Observation:patient:status=final')).body.entry).toBe(
      undefined,
    );
  });

  test('in a condition of a write they find what a search finds', async () => {
    const body = { resourceType: 'Encounter', status: 'planned', class: { code: 'AMB' }, subject: {} as Body };
    body.subject = { reference: `Patient/${made.ann.id}` };
    const create = (query: string) =>
      callFhir(admin, 'POST', 'Encounter', { body, headers: { 'if-none-exist': query } });
    const both = await Promise.all([create('subject:Patient.name=ang'), create('subject:Patient.name=ang')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(both.map((answer) => answer.body.id)).size).toBe(1);
    const put = await callFhir(admin, 'PUT', 'Encounter?subject:Patient.name=ang', { body });
    expect([put.status, put.body.id]).toEqual([200, both[0]!.body.id]);
    expect((await callFhir(admin, 'DELETE', 'Encounter?patient.general-practitioner.name=grey')).status).toBe(200);
    expect((await callFhir(admin, 'GET', 'Encounter?_summary=count')).body.total).toBe(0);
  });
});
