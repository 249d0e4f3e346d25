import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { runErasures } from '#lib/domain/record-erasure/run-erasures.ts';
import { flushRefusals } from '#lib/domain/refusals/note-refusal.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { CTX } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let ward: Caller;
let patient: string;

async function open(id: string, { authorization }: Caller = project.admin, { projectId } = project) {
  return callApi(authorization, 'GET', `/admin/projects/${projectId}/access/decisions/${id}`);
}

/** Of a refusal: the same in its header and its body. */
function decisionOf({ status, headers, body }: Answer): string {
  expect(status).toBe(403);
  const id = headers.get('x-gatehouse-decision');
  expect(id).toBeTruthy();
  expect(body.issue[0].details.coding).toEqual([{ system: 'urn:gatehouse:decision', code: id }]);
  return id!;
}

async function countRows(): Promise<number> {
  await flushRefusals();
  const [row] = await db().execute<{ count: number }>(
    sql`select count(*)::int as count from access_refusal where project_id = ${project.projectId}`,
  );
  return row!.count;
}

beforeAll(async () => {
  project = await makeFhirProject();
  ward = await project.member([
    { resourceType: 'Patient', readonly: true },
    { resourceType: 'Patient', criteria: 'Patient?gender=female', interaction: ['update'] },
  ]);
  const body = { resourceType: 'Patient', gender: 'male', birthDate: '1980-01-01' };
  patient = (await callFhir(project.admin, 'POST', 'Patient', { body })).body.id;
});

describe('GET /admin/projects/[projectId]/access/decisions/[decisionId]', () => {
  test('who was refused what and when, with the rules as they were then, in words', async () => {
    const body = { resourceType: 'Patient', id: patient, gender: 'male' };
    const id = decisionOf(await callFhir(ward, 'PUT', `Patient/${patient}`, { body }));
    const { body: membership } = await callFhir(project.admin, 'GET', `ProjectMembership/${ward.membershipId}`);
    const path = membership.accessPolicy.reference;
    const { body: policy } = await callFhir(project.admin, 'GET', path);
    await callFhir(project.admin, 'PUT', path, { body: { ...policy, resource: [] } });
    const answer = await open(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({
      id,
      membership: `ProjectMembership/${ward.membershipId}`,
      member: { reference: ward.profile, display: 'Caller' },
      caller: null,
      interaction: 'update',
      resourceType: 'Patient',
      resourceId: patient,
      text: 'Your access policy does not let you change this Patient so',
      because: 'These were for update of Patient, and none held of this request: rule 2 of Test',
      rules: [
        { index: 0, text: 'May read and search Patients', covers: false, holds: null },
        { index: 1, text: 'May change Patients whose gender is female', covers: true, holds: null },
      ],
    });
    expect(answer.text).not.toContain('1980');
    await callFhir(project.admin, 'PUT', path, { body: policy });
  });

  test('each refusal of a policy has one: of a type, a creation, a deletion, a batch, a search; what is not refused by one has none', async () => {
    const narrow = await project.member([
      { resourceType: 'Patient', hiddenFields: ['birthDate'], criteria: 'Patient?gender=female' },
      { resourceType: 'Patient', readonly: true },
    ]);
    const body = { resourceType: 'Patient', gender: 'male' };
    const asked: [Answer, string, string][] = [
      [await callFhir(narrow, 'GET', 'Observation'), 'Observation', 'search'],
      [await callFhir(narrow, 'GET', `Observation/${newId()}`), 'Observation', 'read'],
      [await callFhir(narrow, 'POST', 'Patient', { body }), 'Patient', 'create'],
      [await callFhir(narrow, 'DELETE', `Patient/${patient}`), 'Patient', 'delete'],
    ];
    for (const [answer, resourceType, interaction] of asked) {
      expect((await open(decisionOf(answer))).body).toMatchObject({ resourceType, interaction });
    }
    const entry = [{ request: { method: 'GET', url: `Observation/${newId()}` } }];
    const batch = (await callFhir(narrow, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } })).body;
    const [{ code }] = batch.entry[0].response.outcome.issue[0].details.coding;
    expect((await open(code)).body).toMatchObject({ resourceType: 'Observation', interaction: 'read' });

    const hidden = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const answers = [
      await callFhir(hidden, 'GET', `Patient/${patient}`),
      await callFhir(hidden, 'GET', `Patient/${newId()}`),
      await callApi(hidden.authorization, 'GET', `/admin/projects/${project.projectId}/audit`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 403]);
    for (const { headers } of answers) expect(headers.get('x-gatehouse-decision')).toBeNull();
    expect(answers[0]!.text).toBe(answers[1]!.text);
  });

  test('equal refusals of an hour share one, whoever repeats them', async () => {
    const member = await project.member([{ resourceType: 'Observation' }]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => callFhir(member, 'GET', 'Patient')));
    const before = await countRows();
    expect(new Set(answers.map(decisionOf)).size).toBe(1);
    await callFhir(member, 'GET', 'Patient?name=x');
    expect(await countRows()).toBe(before);
  });

  test('so many different ones of a member in an hour are kept, and further refusals have none', async () => {
    const member = await project.member([{ resourceType: 'Patient', readonly: true }]);
    const types = [
      'Observation',
      'Condition',
      'Encounter',
      'Procedure',
      'Task',
      'Basic',
      'Device',
      'Flag',
      'Goal',
      'List',
    ];
    types.push('Slot', 'Group', 'Media', 'Claim', 'Account', 'Consent', 'Contract', 'Coverage', 'Endpoint', 'Invoice');
    types.push(
      'Location',
      'Schedule',
      'Specimen',
      'Substance',
      'Linkage',
      'Library',
      'Measure',
      'CarePlan',
      'CareTeam',
      'Person',
    );
    const before = await countRows();
    const named: (string | null)[] = [];
    for (const type of types) {
      const answers = await Promise.all([
        callFhir(member, 'GET', type),
        callFhir(member, 'GET', `${type}/x`),
        callFhir(member, 'DELETE', `${type}/x`),
        callFhir(member, 'GET', `${type}/x/_history`),
        callFhir(member, 'POST', type, { body: { resourceType: type } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      named.push(...answers.map(({ headers }) => headers.get('x-gatehouse-decision')));
    }
    expect(named.filter((id) => id !== null)).toHaveLength(100);
    expect(named.slice(100).every((id) => id === null)).toBe(true);
    expect((await countRows()) - before).toBe(100);
  });

  test('who really asked, where that was on behalf of the member', async () => {
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${ward.membershipId}` };
    const id = decisionOf(await callFhir(project.admin, 'GET', 'Encounter', { headers }));
    expect((await open(id)).body).toMatchObject({
      member: { reference: ward.profile },
      caller: { reference: project.admin.profile },
    });
  });

  test('an administrator whom a policy limits learns what was refused, and not of which record', async () => {
    const id = decisionOf(await callFhir(ward, 'DELETE', `Patient/${patient}`));
    expect((await open(id)).body.resourceId).toBeNull();
    const body = { resourceType: 'Patient', id: patient, gender: 'male' };
    const other = decisionOf(await callFhir(ward, 'PUT', `Patient/${patient}`, { body }));
    expect((await open(other)).body.resourceId).toBe(patient);
    const limited = await project.member([{ resourceType: 'Observation' }], { admin: true });
    const answer = await open(other, limited);
    expect(answer.body).toMatchObject({ resourceType: 'Patient', resourceId: null });
    expect(answer.text).not.toContain(patient);
  });

  test('what names a record goes with it when it is erased', async () => {
    const own = await makeFhirProject(false, { setting: [{ name: 'recordErasure', valueBoolean: true }] });
    const reader = await own.member([
      { resourceType: '*', interaction: ['read', 'search'] },
      { resourceType: 'Observation', interaction: ['delete'], criteria: 'Observation?status=final' },
    ]);
    const { body: record } = await callFhir(own.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } });
    const subject = { reference: `Patient/${record.id}` };
    const body = { resourceType: 'Observation', status: 'preliminary', code: { text: 'Dose' }, subject };
    const { body: dose } = await callFhir(own.admin, 'POST', 'Observation', { body });
    const id = decisionOf(await callFhir(reader, 'DELETE', `Observation/${dose.id}`));
    expect((await open(id, own.admin, own)).body.resourceId).toBe(dose.id);
    const path = `/admin/projects/${own.projectId}/patients/${record.id}/erasure`;
    const asked = await callApi(own.admin.authorization, 'POST', path, {
      body: { confirm: record.id, reason: 'Asked for by the person' },
    });
    expect(asked.status, asked.text).toBe(202);
    await runErasures(CTX);
    expectOutcome(await open(id, own.admin, own), 404);
  });

  test('404 after seven days, for another project’s, and for none; 403 for who is no administrator', async () => {
    const id = decisionOf(await callFhir(ward, 'GET', 'Procedure'));
    expect((await open(id)).status).toBe(200);
    const other = await makeFhirProject();
    expectOutcome(await open(id, other.admin, other), 404);
    expectOutcome(await open(id, other.admin), 403);
    expectOutcome(await open(id, ward), 403);
    for (const none of [newId(), 'x']) expectOutcome(await open(none), 404);
    await db().execute(
      sql`update access_refusal set at = now() - interval '8 days' where project_id = ${project.projectId} and id = ${id}`,
    );
    expectOutcome(await open(id), 404);
  });
});
