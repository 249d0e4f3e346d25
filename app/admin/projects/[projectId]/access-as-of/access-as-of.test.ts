import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let patient: string;

async function ask(query: string, authorization = project.admin.authorization) {
  return callApi(authorization, 'GET', `/admin/projects/${project.projectId}/access-as-of?${query}`);
}

async function couldRead(resource: string, at = new Date()) {
  const { status, body, text } = await ask(`resource=${resource}&at=${at.toISOString()}`);
  expect(status, text).toBe(200);
  return body.members.map(({ membership }: { membership: string }) => membership);
}

const nameOf = ({ membershipId }: { membershipId: string }) => `ProjectMembership/${membershipId}`;

/** An instant between what was done and what comes. */
async function moment(): Promise<Date> {
  const at = new Date();
  await expect.poll(() => Date.now() - at.getTime()).toBeGreaterThan(2);
  return at;
}

beforeAll(async () => {
  project = await makeFhirProject();
  patient = `Patient/${(await callFhir(project.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id}`;
});

describe('GET /admin/projects/[projectId]/access-as-of', () => {
  test('who could read it, by their policies as they were then: as the reads of that moment went', async () => {
    const all = await project.member();
    const some = await project.member([{ resourceType: 'Patient', criteria: `Patient?_id=${patient.slice(8)}` }]);
    const others = await project.member([{ resourceType: 'Patient', criteria: `Patient?_id=${newId()}` }]);
    const none = await project.member([{ resourceType: 'Observation' }]);
    const at = await moment();
    const statuses = [];
    for (const caller of [all, some, others, none]) statuses.push((await callFhir(caller, 'GET', patient)).status);
    expect(statuses).toEqual([200, 200, 404, 403]);
    expect((await couldRead(patient, at)).sort()).toEqual([project.admin, all, some].map(nameOf).sort());

    // The policy of one is widened, another is removed, and a third comes.
    const membership = (await callFhir(project.admin, 'GET', `ProjectMembership/${others.membershipId}`)).body;
    const policy = membership.accessPolicy.reference;
    const { body } = await callFhir(project.admin, 'GET', policy);
    await callFhir(project.admin, 'PUT', policy, { body: { ...body, resource: [{ resourceType: 'Patient' }] } });
    await callApi(
      project.admin.authorization,
      'DELETE',
      `/admin/projects/${project.projectId}/members/${all.membershipId}`,
    );
    const later = await project.member();
    await moment();
    expect((await couldRead(patient)).sort()).toEqual([project.admin, some, others, later].map(nameOf).sort());
    expect((await couldRead(patient, at)).sort()).toEqual([project.admin, all, some].map(nameOf).sort());
  });

  test('names each with their policies, and what state the record was in', async () => {
    const { body } = await ask(`resource=${patient}&at=${(await moment()).toISOString()}`);
    expect(body).toMatchObject({ resource: patient, state: 'present', version: '1', next: null, reads: null });
    const limited = body.members.find(({ policies }: { policies: unknown[] }) => policies.length > 0);
    expect(limited.policies).toEqual([{ reference: expect.stringMatching(/^AccessPolicy\//), display: 'Test' }]);
    expect(limited.profile.display).toBe('Caller');
  });

  test('nobody could before it was made, nor after it was deleted; what is kept no longer is told as unknown', async () => {
    const before = await moment();
    const id = (await callFhir(project.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id;
    const between = await moment();
    await callFhir(project.admin, 'DELETE', `Patient/${id}`);
    const states = [];
    for (const at of [before, between, await moment()]) {
      const { body } = await ask(`resource=Patient/${id}&at=${at.toISOString()}`);
      states.push([body.state, body.members.length > 0]);
    }
    expect(states).toEqual([
      ['absent', false],
      ['present', true],
      ['deleted', false],
    ]);
    const member = await project.member();
    const at = await moment();
    await db().execute(
      sql`update resource_history set version = 7, last_updated = now() where project_id = ${project.projectId} and id = ${member.membershipId}`,
    );
    const { body } = await ask(`resource=${patient}&at=${at.toISOString()}`);
    const found = body.members.find(({ membership }: { membership: string }) => membership === nameOf(member));
    expect(found).toMatchObject({ access: 'unknown' });
  });

  test('pages through the members, each once', async () => {
    const at = (await moment()).toISOString();
    const whole = await couldRead(patient, new Date(at));
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask(`resource=${patient}&at=${at}&_count=2${cursor && `&cursor=${cursor}`}`);
      expect(body.looked).toBeLessThanOrEqual(2);
      seen.push(...body.members.map(({ membership }: { membership: string }) => membership));
      cursor = body.next ?? '';
    } while (cursor);
    expect(seen).toEqual(whole);
  });

  test('who did: reads by id and pages of a search that showed it, where the project keeps reads', async () => {
    const settings = `/admin/projects/${project.projectId}/settings`;
    const body = [{ name: 'auditReads', valueBoolean: true }];
    expect((await callApi(project.admin.authorization, 'POST', settings, { body })).status).toBe(200);
    const reader = await project.member();
    const searcher = await project.member();
    await callFhir(reader, 'GET', patient);
    await callFhir(searcher, 'GET', 'Patient?_count=100');
    await callFhir(project.admin, 'GET', 'Patient?_id=none');
    await flushReads();
    const answer = await ask(`resource=${patient}&at=${(await moment()).toISOString()}`);
    const reads = answer.body.reads.map(({ how, actor }: { how: string; actor: { reference: string } }) => [
      how,
      actor.reference,
    ]);
    expect(reads).toEqual([
      ['search', searcher.profile],
      ['read', reader.profile],
    ]);
    const other = (await callFhir(project.admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id;
    expect((await ask(`resource=Patient/${other}&at=${(await moment()).toISOString()}`)).body.reads).toEqual([]);
  });

  test('only for administrators, of their own project; what is wrong is named', async () => {
    const now = new Date().toISOString();
    const member = await project.member();
    const other = await makeFhirProject();
    expect((await ask(`resource=${patient}&at=${now}`, member.authorization)).status).toBe(403);
    expect((await ask(`resource=${patient}&at=${now}`, other.admin.authorization)).status).toBe(403);
    const foreign = await callApi(
      other.admin.authorization,
      'GET',
      `/admin/projects/${other.projectId}/access-as-of?resource=${patient}&at=${now}`,
    );
    expect(foreign.body).toMatchObject({ state: 'absent', members: [] });
    const wrong: [string, string][] = [
      [`at=${now}`, 'resource'],
      [`resource=Patient&at=${now}`, 'resource'],
      [`resource=${patient}%00&at=${now}`, 'resource'],
      [`resource=Patient/${'x'.repeat(70)}&at=${now}`, 'resource'],
      [`resource=${patient}`, 'at'],
      [`resource=${patient}&at=yesterday`, 'at'],
      [`resource=${patient}&at=2999-01-01T00:00:00Z`, 'at'],
      [`resource=${patient}&at=0000-01-01T00:00:00Z`, 'at'],
      [`resource=${patient}&at=0001-01-01T00:00:00Z`, 'at'],
      [`resource=${patient}&at=${now}&from=2001-01-01T00:00:00Z`, 'from'],
      [`resource=${patient}&at=${now}&cursor=x`, 'cursor'],
    ];
    for (const [query, name] of wrong) expectOutcome(await ask(query), 400, name);
    expect((await ask(`resource=Nonsense/1&at=${now}`)).body.state).toBe('absent');
  });
});
