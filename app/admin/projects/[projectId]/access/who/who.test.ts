import { describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { looking } from '#lib/domain/sight/find-readers.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const nameOf = ({ membershipId }: Caller) => `ProjectMembership/${membershipId}`;

async function ask({ projectId, admin }: FhirProject, query: string, caller = admin) {
  return callApi(caller.authorization, 'GET', `/admin/projects/${projectId}/access/who?${query}`);
}

async function who(project: FhirProject, query: string) {
  const { status, body, text } = await ask(project, query);
  expect(status, text).toBe(200);
  return body;
}

async function make(project: FhirProject, body: { resourceType: string; [name: string]: unknown }): Promise<string> {
  const made = await callFhir(project.admin, 'POST', body.resourceType, { body });
  expect(made.status, made.text).toBe(201);
  return `${body.resourceType}/${made.body.id}`;
}

/** An instant between what was done and what comes. */
async function moment(): Promise<string> {
  const at = new Date();
  await expect.poll(() => Date.now() - at.getTime()).toBeGreaterThan(2);
  return at.toISOString();
}

type Seen = { membership: string; rule: { text: string }; hidden: string[] };

describe('GET /admin/projects/[projectId]/access/who', () => {
  test('200 those whose reads are answered, each by the rule that lets them, in words, and what it hides', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient', gender: 'male', active: true });
    const all = await project.member();
    const some = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female' },
      { resourceType: 'Patient', criteria: 'Patient?gender=male', readonly: true, hiddenFields: ['active'] },
    ]);
    const others = await project.member([{ resourceType: 'Patient', criteria: `Patient?_id=${newId()}` }]);
    const none = await project.member([{ resourceType: 'Observation' }]);
    const statuses = [];
    for (const caller of [all, some, others, none]) statuses.push((await callFhir(caller, 'GET', patient)).status);
    expect(statuses).toEqual([200, 200, 404, 403]);
    const body = await who(project, `resource=${patient}`);
    expect(body).toMatchObject({ resource: patient, state: 'present', version: '1', looked: 5, next: null });
    const members = new Map<string, Seen>(body.members.map((each: Seen) => [each.membership, each]));
    expect([...members.keys()].sort()).toEqual([project.admin, all, some].map(nameOf).sort());
    expect(members.get(nameOf(some))).toMatchObject({
      kind: 'client',
      admin: false,
      access: 'read',
      rule: { by: 'policy', index: 1, policy: { display: 'Test' } },
      hidden: ['active'],
      isPlaced: false,
    });
    expect(members.get(nameOf(some))!.rule.text).toBe(
      'read and search Patients whose gender is male; without seeing active',
    );
    expect(members.get(nameOf(all))!.rule).toMatchObject({ by: 'none', policy: null, index: null });
  });

  test('200 as of a date: by memberships, policies and the record as they were then', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient', gender: 'male' });
    const one = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=male' }]);
    const at = await moment();
    const { body } = await callFhir(project.admin, 'GET', patient);
    await callFhir(project.admin, 'PUT', patient, { body: { ...body, gender: 'female' } });
    const then = await who(project, `resource=${patient}&at=${at}`);
    expect(then).toMatchObject({ at, version: '1' });
    expect(then.members.map((each: Seen) => each.membership).sort()).toEqual([project.admin, one].map(nameOf).sort());
    const now = await who(project, `resource=${patient}`);
    expect(now.version).toBe('2');
    expect(now.members.map((each: Seen) => each.membership)).toEqual([nameOf(project.admin)]);
    await callFhir(project.admin, 'DELETE', patient);
    expect(await who(project, `resource=${patient}`)).toMatchObject({ state: 'deleted', members: [], looked: 0 });
  });

  test('200 a Binary is read by who reads what it belongs to, too', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient' });
    const binary = await make(project, {
      resourceType: 'Binary',
      contentType: 'text/plain',
      data: 'YQ==',
      securityContext: { reference: patient },
    });
    const both = await project.member([{ resourceType: 'Binary' }, { resourceType: 'Patient' }]);
    await project.member([{ resourceType: 'Binary' }]);
    const { members } = await who(project, `resource=${binary}`);
    expect(members.map((each: Seen) => each.membership).sort()).toEqual([project.admin, both].map(nameOf).sort());
  });

  test('200 what takes long ends a page before it is full: the next goes on', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient' });
    const others = [await project.member(), await project.member()];
    const { ms } = looking;
    looking.ms = -1;
    const seen: string[] = [];
    try {
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await who(project, `resource=${patient}${cursor && `&cursor=${cursor}`}`);
        expect(page.looked).toBe(1);
        seen.push(...page.members.map((each: Seen) => each.membership));
        cursor = page.next;
      }
    } finally {
      looking.ms = ms;
    }
    expect(seen.sort()).toEqual([project.admin, ...others].map(nameOf).sort());
  });

  test('200 in pages, each member once, by so many statements however many members have the same policy', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient' });
    const { policy, make: more } = await sharedPolicy(project);
    const counts: number[] = [];
    const made = new Set<string>();
    for (const many of [3, 30]) {
      for (let at = 0; at < many; at += 1) made.add(await more(policy));
      let statements = 0;
      const stop = watchStatements(() => (statements += 1));
      const { members } = await who(project, `resource=${patient}&_count=200`);
      stop();
      expect(members).toHaveLength(made.size + 1);
      counts.push(statements);
    }
    expect(counts[1]! - counts[0]!).toBeLessThanOrEqual(1);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await who(project, `resource=${patient}&_count=10${cursor && `&cursor=${cursor}`}`);
      expect(page.members.length).toBeLessThanOrEqual(10);
      seen.push(...page.members.map((each: Seen) => each.membership));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(seen.sort()).toEqual([...made, nameOf(project.admin)].sort());
  });

  test('404 for an administrator whose own policy hides it, now or then, as for what never was; 403 where it hides some of it', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient', gender: 'male' });
    const at = await moment();
    const narrow = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }], {
      admin: true,
    });
    const blind = await project.member([{ resourceType: 'Observation' }], { admin: true });
    const shy = await project.member([{ resourceType: 'Patient', hiddenFields: ['gender'] }], { admin: true });
    const absent = `Patient/${newId()}`;
    for (const caller of [narrow, blind]) {
      for (const when of ['', `&at=${at}`]) {
        const [hidden, never] = await Promise.all([
          ask(project, `resource=${patient}${when}`, caller),
          ask(project, `resource=${absent}${when}`, caller),
        ]);
        expectOutcome(hidden, 404);
        expect(hidden.text).toBe(never.text);
      }
      const path = `/admin/projects/${project.projectId}/access-as-of?at=${at}&resource=`;
      const [hidden, never] = await Promise.all(
        [patient, absent].map((name) => callApi(caller.authorization, 'GET', path + name)),
      );
      expect({ ...hidden!.body, resource: absent }).toEqual(never!.body);
    }
    expectOutcome(await ask(project, `resource=${patient}`, shy), 403);
    const female = await make(project, { resourceType: 'Patient', gender: 'female' });
    expect((await ask(project, `resource=${female}`, narrow)).status).toBe(200);
    // What it is now is hidden, so what it was then is, too.
    const { body } = await callFhir(project.admin, 'GET', female);
    const before = await moment();
    await callFhir(project.admin, 'PUT', female, { body: { ...body, gender: 'male' } });
    expectOutcome(await ask(project, `resource=${female}&at=${before}`, narrow), 404);
  });

  test('200 an administrator with a policy does not learn by whose rules hold what is in records that these ask of', async () => {
    const project = await makeFhirProject();
    const patient = await make(project, { resourceType: 'Patient', gender: 'male' });
    const subject = { reference: patient };
    const dose = { resourceType: 'Observation', status: 'final', code: { text: 'Dose' }, subject };
    const resource = await make(project, dose);
    const narrow = await project.member([{ resourceType: 'Observation' }], { admin: true });
    const of = (gender: string) =>
      project.member([{ resourceType: 'Observation', criteria: `Observation?subject:Patient.gender=${gender}` }]);
    const [male, female] = [await of('male'), await of('female')];
    const { body } = await ask(project, `resource=${resource}`, narrow);
    const told = new Map<string, string>(
      body.members.map((each: Seen & { access: string }) => [each.membership, each.access]),
    );
    expect([told.get(nameOf(male)), told.get(nameOf(female))]).toEqual(['unknown', 'unknown']);
    const whole = (await who(project, `resource=${resource}`)).members.map(({ membership }: Seen) => membership);
    expect([whole.includes(nameOf(male)), whole.includes(nameOf(female))]).toEqual([true, false]);
  });

  test('400 names what is wrong; 403 for members, and administrators of others; 401 without a token', async () => {
    const project = await makeFhirProject();
    const other = await makeFhirProject();
    const member = await project.member();
    const wrong: [string, string][] = [
      ['', 'resource'],
      ['resource=Patient', 'resource'],
      ['resource=Patient/1&at=yesterday', 'at'],
      ['resource=Patient/1&at=2999-01-01T00:00:00Z', 'at'],
      ['resource=Patient/1&_count=0', '_count'],
      ['resource=Patient/1&_count=201', '_count'],
      ['resource=Patient/1&cursor=x', 'cursor'],
      ['resource=Patient/1&nobody=1', 'nobody'],
      ['resource=Patient/1&resource=Patient/2', 'resource'],
    ];
    for (const [query, name] of wrong) expectOutcome(await ask(project, query), 400, name);
    expectOutcome(await ask(project, 'resource=Patient/1', member), 403);
    expectOutcome(await ask(project, 'resource=Patient/1', other.admin), 403);
    expectOutcome(await ask(project, 'resource=Nonsense/1'), 404);
    expect(
      (await callApi(undefined, 'GET', `/admin/projects/${project.projectId}/access/who?resource=Patient/1`)).status,
    ).toBe(401);
  });
});

/** A policy, and what makes programs that have it. */
async function sharedPolicy(project: FhirProject) {
  const policy = await make(project, {
    resourceType: 'AccessPolicy',
    name: 'Ward',
    resource: [{ resourceType: 'Patient' }],
  });
  return {
    policy,
    make: async (reference: string) => {
      const path = `/admin/projects/${project.projectId}/client`;
      const body = { name: 'Reader', accessPolicy: { reference } };
      const { status, text, body: client } = await callApi(project.admin.authorization, 'POST', path, { body });
      expect(status, text).toBe(201);
      const query = `ProjectMembership?user=ClientApplication/${client.id}`;
      const found = await callFhir(project.admin, 'GET', query);
      return `ProjectMembership/${found.body.entry[0].resource.id}`;
    },
  };
}
