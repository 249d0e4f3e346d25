import { beforeAll, describe, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: FhirProject['admin'];
const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' };

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

describe('$validate', () => {
  test('200 with what is wrong, or that all is well', async () => {
    const bad = await callFhir(admin, 'POST', 'Patient/$validate', { body: { resourceType: 'Patient', gender: 'm' } });
    expect([bad.status, bad.body.issue[0].expression]).toEqual([200, ['Patient.gender']]);
    const resource = { resourceType: 'Patient', gender: 'male' };
    const parameters = { resourceType: 'Parameters', parameter: [{ name: 'resource', resource }] };
    for (const body of [resource, parameters]) {
      const good = await callFhir(admin, 'POST', 'Patient/%24validate', { body });
      expect([good.status, good.body.issue[0].severity]).toEqual([200, 'information']);
    }
    for (const parameter of [{}, 5, 'abc']) {
      const answer = await callFhir(admin, 'POST', 'Patient/$validate', {
        body: { resourceType: 'Parameters', parameter },
      });
      expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['Parameters.parameter']]);
    }
    expect((await callFhir(admin, 'POST', 'Patient/$validate')).status).toBe(400);
    expect((await callFhir(undefined, 'POST', 'Patient/$validate', { body: resource })).status).toBe(401);
  });

  test('a profile that is not known is named, and a resource is held against the base definition that is', async () => {
    const body = { resourceType: 'Patient', text, gender: 'male' };
    const base = 'http://hl7.org/fhir/StructureDefinition';
    const validate = async (profile: string) =>
      (await callFhir(admin, 'POST', `Patient/$validate?profile=${encodeURIComponent(profile)}`, { body })).body.issue;
    for (const known of [`${base}/Patient`, `${base}/Patient|4.0.1`, `${base}/DomainResource`]) {
      expect(await validate(known)).toMatchObject([{ severity: 'information' }]);
    }
    for (const unknown of ['http://example.org/StructureDefinition/us-core', `${base}/Patient|5.0.0`, `${base}/bmi`]) {
      const [issue] = await validate(unknown);
      expect(issue).toMatchObject({ severity: 'error', code: 'not-supported', expression: ['profile'] });
      expect(issue.details.text).toContain(unknown);
    }
    expect(await validate(`${base}/Observation`)).toMatchObject([{ severity: 'error', code: 'value' }]);
    const parameter = [
      { name: 'resource', resource: body },
      { name: 'profile', valueCanonical: 'http://example.org/p' },
    ];
    const wrapped = { body: { resourceType: 'Parameters', parameter } };
    const answer = await callFhir(admin, 'POST', 'Patient/$validate', wrapped);
    expect(answer.body.issue).toMatchObject([{ severity: 'error', expression: ['profile'] }]);
  });

  test('a profile that the resource claims and that is not known is a warning', async () => {
    const body = { resourceType: 'Patient', text, meta: { profile: ['http://example.org/p'] } };
    const { issue } = (await callFhir(admin, 'POST', 'Patient/$validate', { body })).body;
    expect(issue).toMatchObject([{ severity: 'warning', expression: ['Patient.meta.profile[0]'] }]);
  });

  test('a mode says whether the caller could make that change, and nothing of it stays', async () => {
    const body = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body;
    const reader = await project.member([
      { resourceType: 'Patient', readonly: true },
      { resourceType: 'Patient', criteria: 'Patient?active=true' },
    ]);
    const validate = async (path: string, who = admin) => {
      const answer = await callFhir(who, 'POST', path, { body });
      expect(answer.status).toBe(200);
      return answer.body.issue[0];
    };
    for (const path of ['Patient/$validate?mode=create', `Patient/${body.id}/$validate?mode=update`]) {
      expect(await validate(path)).toMatchObject({ severity: 'information' });
      expect(await validate(path, reader)).toMatchObject({ severity: 'error', code: 'forbidden' });
    }
    expect(await validate('Patient/other/$validate?mode=update')).toMatchObject({ severity: 'error' });
    const deleting = `Patient/${body.id}/$validate?mode=delete`;
    expect((await callFhir(admin, 'POST', deleting)).body.issue[0].severity).toBe('information');
    expect(await validate(deleting, reader)).toMatchObject({ severity: 'error', code: 'forbidden' });
    expect(await validate('Patient/nobody/$validate?mode=delete')).toMatchObject({ code: 'not-found' });
    const after = await callFhir(admin, 'GET', `Patient/${body.id}/_history`);
    expect([after.body.total, (await callFhir(admin, 'GET', 'Patient?_summary=count')).body.total]).toEqual([1, 1]);
  });

  describe('is for who could make such a change: 403', () => {
    const ask = (who: FhirProject['admin'], path: string, body?: unknown) => callFhir(who, 'POST', path, { body });
    const patient = { resourceType: 'Patient' };
    const policy = { resourceType: 'AccessPolicy', name: 'x', resource: [] };

    test('of a type that they may neither create nor update', async () => {
      const reader = await project.member([{ resourceType: 'Patient', readonly: true }]);
      const deleter = await project.member([{ resourceType: 'Patient', interaction: ['read', 'delete'] }]);
      for (const who of [reader, deleter]) {
        for (const mode of ['', '?mode=create', '?mode=update']) {
          expectIssue(await ask(who, `Patient/$validate${mode}`, patient), 403, 'forbidden');
        }
      }
      for (const interaction of ['create', 'update'] as const) {
        const one = await project.member([{ resourceType: 'Patient', interaction: [interaction] }]);
        expect((await ask(one, 'Patient/$validate', patient)).status).toBe(200);
        expectIssue(await ask(one, 'Observation/$validate', { resourceType: 'Observation' }), 403, 'forbidden');
      }
    });

    test('of a policy, whatever else they may do', async () => {
      const member = await project.member();
      for (const path of ['AccessPolicy/$validate', 'AccessPolicy/x/$validate', 'AccessPolicy/$validate?mode=create']) {
        expectIssue(await ask(member, path, policy), 403, 'forbidden');
      }
      expect((await ask(admin, 'AccessPolicy/$validate', policy)).status).toBe(200);
    });

    test('of one that they may not update or delete; of one that they do not see it is 404', async () => {
      const { id } = (await callFhir(admin, 'POST', 'Patient', { body: { ...patient, active: true } })).body;
      const other = (await callFhir(admin, 'POST', 'Patient', { body: { ...patient, active: false } })).body;
      const writer = await project.member([
        { resourceType: 'Patient', criteria: 'Patient?active=true', interaction: ['read', 'update'] },
      ]);
      expect((await ask(writer, `Patient/${id}/$validate`, patient)).status).toBe(200);
      expectIssue(await ask(writer, `Patient/${other.id}/$validate`, patient), 404, 'not-found');
      expectIssue(await ask(writer, 'Patient/nobody/$validate', patient), 404, 'not-found');
      expectIssue(await ask(writer, `Patient/${id}/$validate?mode=delete`), 403, 'forbidden');
      const creator = await project.member([{ resourceType: 'Patient', interaction: ['read', 'create'] }]);
      expectIssue(await ask(creator, `Patient/${id}/$validate`, patient), 403, 'forbidden');
    });

    test('of a type that nobody writes by FHIR, only its readers are told where it is made', async () => {
      const membership = { resourceType: 'ProjectMembership' };
      expect((await ask(admin, 'ProjectMembership/$validate', membership)).status).toBe(200);
      expectIssue(await ask(await project.member(), 'ProjectMembership/$validate', membership), 403, 'forbidden');
    });
  });

  test.each([
    ['?mode=maybe', 'mode'],
    ['?mode=profile', 'profile'],
    ['?mode=delete', 'mode'],
    ['?mode=create&mode=update', 'mode'],
    ['?level=all', 'level'],
  ])('400 for %s, naming it', async (query, expression) => {
    const answer = await callFhir(admin, 'POST', `Patient/$validate${query}`, { body: { resourceType: 'Patient' } });
    expectIssue(answer, 400, 'invalid', expression);
  });

  test('400 for a parameter that it does not know', async () => {
    const body = { resourceType: 'Parameters', parameter: [{ name: 'usageContext', valueString: 'x' }] };
    expectIssue(
      await callFhir(admin, 'POST', 'Patient/$validate', { body }),
      400,
      'invalid',
      'Parameters.parameter[0]',
    );
  });
});
