import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { POLICY_TEST, type PolicyTest } from '#lib/protocol/policies/policy-test.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
beforeAll(async () => {
  project = await makeFhirProject();
});

const OVERRIDE = { 'x-gatehouse-override': 'policy-tests' };
const FEMALE = [{ resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['birthDate'] }];
const ALL = [{ resourceType: 'Patient' }];

const toExtension = (test: object) => ({ url: POLICY_TEST, valueString: JSON.stringify(test) });
const toTest = (name: string, ask: object, outcome: string, hidden?: string[]) => ({
  name,
  ask: { interaction: 'read', resourceType: 'Patient', ...ask },
  expect: { outcome, ...(hidden && { hidden }) },
});

function policyOf(resource: AccessPolicy['resource'], tests: object[], more: object = {}) {
  return { resourceType: 'AccessPolicy', name: 'Tested', resource, extension: tests.map(toExtension), ...more };
}

const post = (body: object, headers?: Record<string, string>, who: Caller = project.admin) =>
  callFhir(who, 'POST', 'AccessPolicy', { body, headers });
const put = (body: { id?: string }, headers?: Record<string, string>, who: Caller = project.admin) =>
  callFhir(who, 'PUT', `AccessPolicy/${body.id}`, { body, headers });
const run = (id: string, body?: object, who: Caller = project.admin) =>
  callApi(who.authorization, 'POST', `/admin/projects/${project.projectId}/access-policies/${id}/test`, { body });

async function makePatient(gender: string): Promise<string> {
  const { body } = await callFhir(project.admin, 'POST', 'Patient', {
    body: { resourceType: 'Patient', gender, birthDate: '1980-01-01' },
  });
  return body.id;
}

async function made(body: object): Promise<AccessPolicy & { id: string }> {
  const answer = await post(body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

async function logOf(id: string): Promise<{ action: string; after: unknown }[]> {
  const path = `/admin/projects/${project.projectId}/audit?target=AccessPolicy/${id}`;
  return (await callApi(project.admin.authorization, 'GET', path)).body.rows;
}

/** Deeper than any body may be. */
function nested(levels: number): object {
  let value: object = { resourceType: 'Patient' };
  for (let level = 0; level < levels; level++) value = { resourceType: 'Patient', contained: [value] };
  return value;
}

function expectFailed(answer: Answer, name: string): void {
  expectOutcome(answer, 409);
  expect(answer.text).toContain(`“${name}” fails`);
}

test('tests stand with their policy, are run by its route, and nothing of what they write stays', async () => {
  const [female, male] = [await makePatient('female'), await makePatient('male')];
  const tests = [
    toTest('sees women', { id: female }, 'allow', ['birthDate']),
    toTest('sees no men', { id: male }, 'deny'),
    toTest(
      'creates women',
      { interaction: 'create', resource: { resourceType: 'Patient', gender: 'female' } },
      'allow',
    ),
    toTest('creates no men', { interaction: 'create', resource: { resourceType: 'Patient', gender: 'male' } }, 'deny'),
    toTest('deletes women', { interaction: 'delete', id: female }, 'allow'),
    toTest('some of the type', {}, 'some', ['birthDate']),
    toTest('no tasks', { resourceType: 'Task' }, 'deny'),
  ];
  const before = (await callFhir(project.admin, 'GET', 'Patient?_summary=count')).body.total;
  const policy = await made(policyOf(FEMALE, tests));
  expect(policy.extension).toEqual(tests.map(toExtension));
  const ran = await run(policy.id);
  expect(ran.status, ran.text).toBe(200);
  expect(ran.body.passed, ran.text).toBe(true);
  expect(ran.body.results.map(({ name }: PolicyTest) => name)).toEqual(tests.map(({ name }) => name));
  expect(ran.body.results[0]).toMatchObject({
    result: 'pass',
    got: { outcome: 'allow', status: 200, hidden: ['birthDate'] },
  });
  expect((await callFhir(project.admin, 'GET', 'Patient?_summary=count')).body.total).toBe(before);
  expect((await callFhir(project.admin, 'GET', `Patient/${female}`)).body.meta.versionId).toBe('1');
  // As a draft would be.
  const draft = await run(policy.id, { ...policy, resource: ALL });
  expect(draft.body.passed).toBe(false);
  expect(draft.body.results.filter(({ result }: { result: string }) => result === 'fail')).toHaveLength(4);
  expect((await run(policy.id)).body.passed).toBe(true);
});

test('a save that breaks a test is refused by its name, however it comes, unless it says so: then that is audited', async () => {
  const policy = await made(policyOf(FEMALE, [toTest('some', {}, 'some', ['birthDate'])]));
  const broken = { ...policy, resource: ALL };
  const patch = [{ op: 'replace', path: '/resource', value: ALL }];
  const url = `AccessPolicy/${policy.id}`;
  const bundle = (type: string) => ({
    resourceType: 'Bundle',
    type,
    entry: [{ resource: broken, request: { method: 'PUT', url } }],
  });
  const asPatch = { 'content-type': 'application/json-patch+json' };
  expectFailed(await put(broken), 'some');
  expectFailed(await callFhir(project.admin, 'PATCH', url, { body: JSON.stringify(patch), headers: asPatch }), 'some');
  expectFailed(await callFhir(project.admin, 'POST', '', { body: bundle('transaction') }), 'some');
  const batch = await callFhir(project.admin, 'POST', '', { body: bundle('batch') });
  expect(batch.body.entry[0].response.status).toMatch(/^409/);
  expectFailed(await post({ ...broken, id: undefined }), 'some');
  const lint = await callFhir(project.admin, 'POST', `${url}/$validate?mode=update`, { body: broken });
  expect(lint.text).toContain('“some” fails');
  const stands = await callFhir(project.admin, 'GET', url);
  expect(stands.body.meta.versionId).toBe('1');

  expect((await callFhir(project.admin, 'POST', '', { body: bundle('transaction'), headers: OVERRIDE })).status).toBe(
    200,
  );
  expect((await logOf(policy.id)).find(({ action }) => action === 'access-policy.override')).toMatchObject({
    after: { failed: ['some'] },
  });
  expect((await run(policy.id)).body.passed).toBe(false);
  // The way back needs none, and a save without faults leaves none.
  expect((await put({ ...policy, meta: undefined } as never, OVERRIDE)).status).toBe(200);
  expect((await logOf(policy.id)).filter(({ action }) => action === 'access-policy.override')).toHaveLength(1);
});

test('of a member, of parameters and of a record that somebody would stand on', async () => {
  const patient = await makePatient('female');
  const own = [{ resourceType: 'Patient', criteria: 'Patient?_id=%patient.id,%other' }];
  const other = await makePatient('male');
  const parameter = [{ name: 'other', valueString: other }];
  const tests = [
    toTest('own', { id: patient, profile: `Patient/${patient}`, parameter }, 'allow', []),
    toTest('the other', { id: other, profile: `Patient/${patient}`, parameter }, 'allow'),
    toTest('no other', { id: await makePatient('male'), profile: `Patient/${patient}`, parameter }, 'deny'),
  ];
  await made(policyOf(own, tests));
  const member = await project.member(FEMALE);
  const { accessPolicy } = (await callFhir(project.admin, 'GET', `ProjectMembership/${member.membershipId}`)).body;
  const { body: policy } = await callFhir(project.admin, 'GET', accessPolicy.reference);
  const of = { membership: `ProjectMembership/${member.membershipId}` };
  const tested = { ...policy, ...policyOf(FEMALE, [toTest('theirs', { ...of, id: patient }, 'allow', ['birthDate'])]) };
  expect((await put(tested)).status).toBe(200);
  expectFailed(await put({ ...tested, resource: [{ resourceType: 'Patient', hiddenFields: ['name'] }] }), 'theirs');
});

test('what a test is about and is gone breaks no save, and the test does not pass', async () => {
  const patient = await makePatient('female');
  const none = `ProjectMembership/${newId()}`;
  const tests = [
    toTest('gone', { id: newId() }, 'allow'),
    toTest('nobody', { membership: none, id: patient }, 'allow'),
  ];
  const policy = await made(policyOf(FEMALE, tests));
  const { body } = await run(policy.id);
  expect(body.passed).toBe(false);
  expect(body.results.map(({ result }: { result: string }) => result)).toEqual(['missing', 'missing']);
});

test('400: what is no test is refused by its place', async () => {
  const good = toTest('good', {}, 'some');
  const faults: [object, string][] = [
    [{ ...good, name: '' }, 'name'],
    [{ ...good, more: 1 }, ''],
    [toTest('x', {}, 'perhaps'), 'outcome'],
    [toTest('x', { query: 'a=b' }, 'allow'), 'query'],
    [toTest('x', { policy: { resourceType: 'AccessPolicy' } }, 'allow'), 'policy'],
    [toTest('x', { interaction: 'eat' }, 'allow'), 'interaction'],
    [toTest('x', { profile: 'Task/1' }, 'allow'), 'profile'],
    [
      toTest('x', { interaction: 'create', resourceType: 'AccessPolicy', resource: policyOf(ALL, []) }, 'deny'),
      'AccessPolicy',
    ],
    [toTest('x', { interaction: 'delete', resourceType: 'AccessPolicy', id: newId() }, 'deny'), 'AccessPolicy'],
    [toTest('x', { interaction: 'update', resourceType: 'Project', id: newId() }, 'deny'), 'Project'],
    [toTest('a\u0000b', {}, 'deny'), 'JSON'],
    [toTest('a\ud800b', {}, 'deny'), 'JSON'],
    [toTest('a\nb', {}, 'deny'), 'not allowed'],
    [toTest('x', { parameter: [{ name: 'x', valueString: '\u0000' }] }, 'deny'), 'JSON'],
    [toTest('x', { interaction: 'create', resource: nested(1000) }, 'deny'), 'JSON'],
    [
      toTest('x', { parameter: [{ name: 'x', valueReference: { reference: 'x', deep: nested(1000) } }] }, 'deny'),
      'JSON',
    ],
    [good, 'another test has its name'],
  ];
  for (const [fault, word] of faults) {
    const answer = await post(policyOf(FEMALE, [good, fault]), OVERRIDE);
    expectOutcome(answer, 400, 'AccessPolicy.extension[1].valueString');
    expect(answer.text).toContain(word);
  }
  const many = Array.from({ length: 21 }, (_, at) => toTest(`n${at}`, {}, 'some'));
  expectOutcome(await post(policyOf(FEMALE, many)), 400, 'AccessPolicy.extension');
  const large = Array.from({ length: 8 }, (_, at) =>
    toTest(
      `n${at}`,
      { interaction: 'create', resource: { resourceType: 'Patient', language: 'x'.repeat(10_000) } },
      'deny',
    ),
  );
  expectOutcome(await post(policyOf(FEMALE, large)), 400, 'AccessPolicy.extension');
  const policy = await made(policyOf(FEMALE, [good]));
  expectOutcome(await run(policy.id, { resourceType: 'AccessPolicy', resource: [{ resourceType: 'Nothing' }] }), 400);
});

test('a test that fails is named by its place, however its name is written', async () => {
  const valueString =
    '{"name": " \\u0041 ", "ask": {"interaction": "read", "resourceType": "Patient"}, "expect": {"outcome": "deny"}}';
  const other = toTest('not the one, though it says "A"', {}, 'some');
  const extension = [toExtension(other), { url: POLICY_TEST, valueString }];
  expectOutcome(await post({ ...policyOf(FEMALE, []), extension }), 409, 'AccessPolicy.extension[1]');
});

test('403 and 404: for who may not have it explained, of what is not there; a limited administrator learns of no record by tests', async () => {
  const patient = await makePatient('female');
  const policy = await made(policyOf(FEMALE, [toTest('secret', { id: patient }, 'allow')]));
  expectOutcome(await run(policy.id, undefined, await project.member()), 403);
  expectOutcome(await run(newId()), 404);
  const limited = await project.member(
    [
      { resourceType: '*', criteria: undefined },
      { resourceType: 'Patient', hiddenFields: ['name'] },
      ...['AccessPolicy', 'ProjectMembership'].map((resourceType) => ({ resourceType })),
    ],
    { admin: true },
  );
  expectOutcome(await run(policy.id, undefined, limited), 403);
  expectOutcome(await put({ ...policy, resource: ALL } as never, {}, limited), 403, 'AccessPolicy.extension');
  const forced = await put({ ...policy, resource: [{ resourceType: 'Task' }] } as never, OVERRIDE, limited);
  expect(forced.status, forced.text).toBe(200);
  expect((await logOf(policy.id)).find(({ action }) => action === 'access-policy.override')).toMatchObject({
    after: { notRun: ['secret'] },
  });
  // Of types they are told anyway.
  const ofType = await made(policyOf(FEMALE, [toTest('type', {}, 'some')]));
  expect((await run(ofType.id, undefined, limited)).body.passed).toBe(true);
});

test('a save and its tests are decided at one moment: of a new test and a change that breaks it one comes first, and the other is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const { id } = await made(policyOf(FEMALE, [toTest('task', { resourceType: 'Task' }, 'deny')]));
    const patch = (op: object) =>
      callFhir(project.admin, 'PATCH', `AccessPolicy/${id}`, {
        body: JSON.stringify([op]),
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const statuses = await Promise.all([
      patch({ op: 'replace', path: '/resource', value: ALL }),
      patch({ op: 'add', path: '/extension/-', value: toExtension(toTest('women', {}, 'some')) }),
    ]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await run(id)).body.passed).toBe(true);
  }
});

test('more saves at once than there are connections all end, with tests that write what the others write', async () => {
  const patient = await makePatient('female');
  const write = {
    interaction: 'update',
    id: patient,
    resource: { resourceType: 'Patient', id: patient, gender: 'female', active: true },
  };
  const tests = [toTest('changes', write, 'allow'), toTest('deletes', { interaction: 'delete', id: patient }, 'allow')];
  const { id } = await made(policyOf(FEMALE, tests));
  const saves = Array.from({ length: 40 }, (_, at) =>
    put({ ...policyOf(FEMALE, tests, { name: `Save ${at}` }), id } as never),
  );
  const others = Array.from({ length: 20 }, (_, at) => post(policyOf(FEMALE, tests, { name: `Other ${at}` })));
  const statuses = (await Promise.all([...saves, ...others])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 201]));
  expect((await callFhir(project.admin, 'GET', `Patient/${patient}`)).body.meta.versionId).toBe('1');
});

test('a save of what others are based on runs their tests, too: by name, or overridden and audited', async () => {
  const [female, male] = [await makePatient('female'), await makePatient('male')];
  const base = await made({ resourceType: 'AccessPolicy', name: 'Base', resource: FEMALE });
  const middle = await made({
    resourceType: 'AccessPolicy',
    name: 'Middle',
    resource: [{ resourceType: 'Task' }],
    basedOn: [{ reference: `AccessPolicy/${base.id}` }],
  });
  const tests = [
    toTest('sees women', { id: female }, 'allow', ['birthDate']),
    toTest('sees no men', { id: male }, 'deny'),
  ];
  const top = policyOf([{ resourceType: 'Encounter' }], tests, {
    name: 'Top',
    basedOn: [{ reference: `AccessPolicy/${middle.id}` }],
  });
  await made(top);
  expect((await put({ ...base, name: 'Base again' } as never)).status).toBe(200);
  const wider = { ...base, resource: ALL };
  const refused = await put(wider);
  expectFailed(refused, 'sees no men');
  expect(refused.text).toContain('Of “Top”, which is based on this policy, the test “sees women” fails');
  const meant = await put(wider, OVERRIDE);
  expect(meant.status, meant.text).toBe(200);
  const [noted] = (await logOf(base.id)).filter(({ action }) => action === 'access-policy.override');
  expect(noted?.after).toEqual({ failed: ['Top: sees women', 'Top: sees no men'] });
  // Of the middle one, too, which has none of its own.
  expectFailed(await put({ ...middle, basedOn: undefined } as never), 'sees women');
});
