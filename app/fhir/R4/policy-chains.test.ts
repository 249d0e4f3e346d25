import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';

drawsItsQuestions();

let project: FhirProject;
const ids: Record<string, string[]> = { Organization: [], Practitioner: [], Patient: [], Observation: [] };

async function make(type: string, body: object): Promise<string> {
  const { status, body: made } = await callFhir(project.admin, 'POST', type, { body: { resourceType: type, ...body } });
  expect(status).toBe(201);
  ids[type]?.push(made.id);
  return made.id;
}

function observation(patient: string | undefined, more: object = {}) {
  return {
    status: 'final',
    code: { text: 'x' },
    ...(patient && { subject: { reference: `Patient/${patient}` } }),
    ...more,
  };
}

beforeAll(async () => {
  project = await makeFhirProject();
  const parent = await make('Organization', { name: 'Trust' });
  const wards = [
    await make('Organization', { name: 'East', partOf: { reference: `Organization/${parent}` } }),
    await make('Organization', { name: 'West' }),
  ];
  const doctors = [
    await make('Practitioner', { gender: 'male', name: [{ family: 'Okafor' }] }),
    await make('Practitioner', { gender: 'female', name: [{ family: 'Ada' }] }),
  ];
  const patients: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    const body = {
      gender: ['male', 'female', 'other'][at % 3],
      birthDate: `19${50 + at * 7}-03-04`,
      ...(at !== 5 && { managingOrganization: { reference: `Organization/${wards[at % 2]}` } }),
      generalPractitioner: [{ reference: `Practitioner/${doctors[at % 2]}` }],
      ...(at > 0 && { link: [{ type: 'seealso', other: { reference: `Patient/${patients[at - 1]}` } }] }),
    };
    patients.push(await make('Patient', body));
  }
  for (let at = 0; at < 10; at += 1) {
    const body = observation(at === 9 ? undefined : patients[at % 6], {
      status: at % 4 === 0 ? 'preliminary' : 'final',
      performer: at % 3 === 0 ? [{ reference: `Practitioner/${doctors[at % 2]}` }] : undefined,
    });
    await make('Observation', JSON.parse(JSON.stringify(body)));
  }
});

const ofPatient = fc.oneof(
  fc.constantFrom(
    'gender=male',
    'gender:not=male',
    'birthdate=ge1970',
    'organization:missing=true',
    'birthdate=le%now',
  ),
  fc.constantFrom(
    'organization.name=east',
    'organization:Organization.partof.name=trust',
    '_has:Observation:patient:status=final',
  ),
  fc.constantFrom(
    'general-practitioner:Practitioner.name=ada',
    'link:Patient.gender=female',
    'link:Patient.link:Patient.gender=other',
  ),
);
const ofObservation = fc.oneof(
  ofPatient.filter((text) => !text.startsWith('_has')).map((text) => `subject:Patient.${text}`),
  ofPatient.map((text) => `patient.${text}`),
  fc.constantFrom('status=final', 'performer:Practitioner.gender=male', 'performer.name=ada', 'subject:missing=true'),
);
const rules = fc.array(
  fc.oneof(
    fc
      .array(ofPatient, { minLength: 1, maxLength: 2 })
      .map((parts) => ({ resourceType: 'Patient', criteria: `Patient?${parts.join('&')}` })),
    fc.tuple(fc.array(ofObservation, { minLength: 1, maxLength: 2 }), fc.boolean()).map(([parts, hides]) => ({
      resourceType: 'Observation',
      criteria: `Observation?${parts.join('&')}`,
      ...(hides && { hiddenFields: ['note', 'performer'] }),
    })),
  ),
  { minLength: 1, maxLength: 3 },
);

test('what a chain or _has in a policy lets be searched is what it lets be read, on random rules', async () => {
  await fc.assert(
    fc.asyncProperty(rules, async (several) => {
      const member = await project.member(several);
      for (const type of new Set(several.map(({ resourceType }) => resourceType))) {
        const found = await callFhir(member, 'GET', `${type}?_count=100&_total=accurate`);
        expect(found.status).toBe(200);
        const searched = new Map<string, unknown>(
          (found.body.entry ?? []).map(({ resource: { id, ...rest } }: { resource: { id: string } }) => [id, rest]),
        );
        expect(found.body.total).toBe(searched.size);
        for (const id of ids[type]!) {
          const read = await callFhir(member, 'GET', `${type}/${id}`);
          const history = await callFhir(member, 'GET', `${type}/${id}/_history`);
          expect([id, read.status, history.status]).toEqual([id, ...(searched.has(id) ? [200, 200] : [404, 404])]);
          if (!searched.has(id)) continue;
          const { id: _, ...rest } = read.body;
          expect(rest).toEqual(searched.get(id));
        }
      }
    }),
    { numRuns: 25 },
  );
});

describe('a rule that asks by the organization of the patient', () => {
  async function scene() {
    const [ours, other] = [await make('Organization', { name: 'Ours' }), await make('Organization', { name: 'Other' })];
    const at = (organization: string) => ({ managingOrganization: { reference: `Organization/${organization}` } });
    const [here, there] = [await make('Patient', at(ours)), await make('Patient', at(other))];
    const criteria = `Observation?subject:Patient.organization=Organization/${ours}`;
    const member = await project.member([{ resourceType: 'Observation', criteria }]);
    const body = (patient?: string) => ({ resourceType: 'Observation', ...observation(patient) });
    return { ours, here, there, other, member, body };
  }

  test('lets be made and changed what fits, before and after, alone and in a transaction', async () => {
    const { here, there, member, body } = await scene();
    const made = await callFhir(member, 'POST', 'Observation', { body: body(here) });
    expect(made.status).toBe(201);
    expect((await callFhir(member, 'POST', 'Observation', { body: body(there) })).status).toBe(403);
    expect((await callFhir(member, 'POST', 'Observation', { body: body() })).status).toBe(403);
    const moved = { ...body(there), id: made.body.id };
    expect((await callFhir(member, 'PUT', `Observation/${made.body.id}`, { body: moved })).status).toBe(403);
    const theirs = await make('Observation', observation(there));
    const taken = { ...body(here), id: theirs };
    expect((await callFhir(member, 'PUT', `Observation/${theirs}`, { body: taken })).status).toBe(404);
    const entry = (resource: object) => ({ resource, request: { method: 'POST', url: 'Observation' } });
    const bundle = (...entries: object[]) => ({ resourceType: 'Bundle', type: 'transaction', entry: entries });
    const post = (body: object) => callFhir(member, 'POST', '', { body });
    expect((await post(bundle(entry(body(here)), entry(body(here))))).status).toBe(200);
    expect((await post(bundle(entry(body(here)), entry(body(there))))).status).toBe(403);
  });

  test('is asked anew each time: the patient moves, and what was seen a moment ago is not', async () => {
    const { here, other, member } = await scene();
    const id = await make('Observation', observation(here));
    const read = async () => (await callFhir(member, 'GET', `Observation/${id}`)).status;
    expect(await read()).toBe(200);
    const body = { resourceType: 'Patient', id: here, managingOrganization: { reference: `Organization/${other}` } };
    expect((await callFhir(project.admin, 'PUT', `Patient/${here}`, { body })).status).toBe(200);
    expect(await read()).toBe(404);
    expect((await callFhir(member, 'GET', 'Observation')).body.entry).toBeUndefined();
  });

  test('asks of what the member may not see themselves: its author speaks', async () => {
    const { here, member } = await scene();
    const id = await make('Observation', observation(here));
    expect((await callFhir(member, 'GET', `Patient/${here}`)).status).toBe(403);
    expect((await callFhir(member, 'GET', `Observation/${id}`)).status).toBe(200);
  });

  test('asks of nothing that is deleted', async () => {
    const { here, member } = await scene();
    const id = await make('Observation', observation(here));
    expect((await callFhir(project.admin, 'DELETE', `Patient/${here}`)).status).toBeLessThan(300);
    expect((await callFhir(member, 'GET', `Observation/${id}`)).status).toBe(404);
  });
});

test('a record that is let through while what its rule asks by changes shows nothing that the rule hides', async () => {
  const patient = await make('Patient', { gender: 'male', birthDate: '1901-02-03' });
  const encounter = (status: string) => {
    return { resourceType: 'Encounter', status, class: { code: 'AMB' }, subject: { reference: `Patient/${patient}` } };
  };
  const id = await make('Encounter', encounter('finished'));
  const criteria = 'Patient?_has:Encounter:patient:status=finished';
  const member = await project.member([{ resourceType: 'Patient', criteria, hiddenFields: ['birthDate'] }]);
  let isOver = false;
  const change = async () => {
    for (const status of Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'planned' : 'finished'))) {
      await callFhir(project.admin, 'PUT', `Encounter/${id}`, { body: { ...encounter(status), id } });
    }
    isOver = true;
  };
  const read = async (path: string) => {
    while (!isOver) {
      const { status, text } = await callFhir(member, 'GET', path);
      expect([path, text.includes('1901-02-03'), status < 500]).toEqual([path, false, true]);
    }
  };
  const paths = ['', '/_history', '/_history/1', '/$everything'].map((end) => `Patient/${patient}${end}`);
  await Promise.all([change(), ...[...paths, ...paths, 'Patient', 'Patient'].map(read)]);
});

test('what is made while what its rule asks by changes has nothing in it that the rule hides: it is decided at one moment', async () => {
  const patient = await make('Patient', { gender: 'male' });
  const criteria = 'Observation?subject:Patient.gender=male';
  const member = await project.member([{ resourceType: 'Observation', criteria, hiddenFields: ['note'] }]);
  const body = (more: object) => ({ resourceType: 'Observation', ...observation(patient, more) });
  const secret = body({ note: [{ text: 'secret' }] });
  let isOver = false;
  const change = async () => {
    for (const gender of Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'female' : 'male'))) {
      await callFhir(project.admin, 'PUT', `Patient/${patient}`, {
        body: { resourceType: 'Patient', id: patient, gender },
      });
    }
    isOver = true;
  };
  const create = async () => {
    for (;;) {
      const { status, body: made } = await callFhir(member, 'POST', 'Observation', { body: secret });
      expect([201, 403]).toContain(status);
      if (status === 201)
        expect((await callFhir(project.admin, 'GET', `Observation/${made.id}`)).text).not.toContain('secret');
      if (isOver) break;
    }
  };
  await Promise.all([change(), create(), create(), create()]);
  // Asked once, until it is stored.
  let asked = 0;
  let isStored = false;
  const stop = watchStatements((text) => {
    isStored ||= /insert into resource/.test(text);
    if (!isStored && text.includes('array_to_string(array[')) asked += 1;
  });
  const { status } = await callFhir(member, 'POST', 'Observation', { body: body({}) });
  stop();
  expect([status, asked]).toEqual([201, 1]);
});

test('a policy that asks of other resources too often is refused', async () => {
  const rule = { resourceType: 'Observation', criteria: 'Observation?subject:Patient.gender=male' };
  const body = { resourceType: 'AccessPolicy', name: 'x', resource: Array.from({ length: 21 }, () => rule) };
  const answer = await callFhir(project.admin, 'POST', 'AccessPolicy', { body });
  expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['AccessPolicy.resource']]);
});
