import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { AccessPolicy, AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { makePolicy } from '#lib/testing/break-glass.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db as ownDb } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn } from '#lib/testing/world.ts';

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

type Policy = Partial<Omit<AccessPolicy, 'basedOn'>> & { basedOn?: string[] };
const toBody = ({ basedOn, ...policy }: Policy, id?: string) => ({
  resourceType: 'AccessPolicy',
  name: 'Test',
  ...policy,
  ...(id && { id }),
  ...(basedOn && { basedOn: basedOn.map((reference) => ({ reference })) }),
});
const post = (policy: Policy, by = admin) => callFhir(by, 'POST', 'AccessPolicy', { body: toBody(policy) });
const put = (reference: string, policy: Policy, by = admin) =>
  callFhir(by, 'PUT', reference, { body: toBody(policy, reference.split('/')[1]!) });
async function make(policy: Policy): Promise<string> {
  const made = await post(policy);
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}
const rules = (...resource: AccessPolicyRule[]) => ({ resource });
const member = (basedOn: string[], own: AccessPolicyRule[] = [], policy: Partial<AccessPolicy> = {}, role = {}) =>
  project.member(own, role, { ...policy, basedOn: basedOn.map((reference) => ({ reference })) });
const patient = async (more: object) => {
  const { body } = await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', ...more } });
  return `Patient/${body.id}`;
};
const statusOf = async (caller: Caller, path: string) => (await callFhir(caller, 'GET', path)).status;
const pathOf = (more = '') => `/admin/projects/${project.projectId}/access-policies${more}`;

test('a policy gives its own rules and those of all that it is based on, and a change of one is there at once', async () => {
  const women = await make(rules({ resourceType: 'Patient', criteria: 'Patient?gender=female' }));
  const ward = await make({ ...rules({ resourceType: 'Encounter' }), basedOn: [women] });
  const nurse = await member([ward], [{ resourceType: 'Task' }]);
  const [her, him] = [await patient({ gender: 'female' }), await patient({ gender: 'male' })];
  expect([await statusOf(nurse, her), await statusOf(nurse, him)]).toEqual([200, 404]);
  expect([await statusOf(nurse, 'Encounter'), await statusOf(nurse, 'Task'), await statusOf(nurse, 'Group')]).toEqual([
    200, 200, 403,
  ]);
  expect((await put(women, rules({ resourceType: 'Patient', criteria: 'Patient?gender=male' }))).status).toBe(200);
  expect([await statusOf(nurse, her), await statusOf(nurse, him)]).toEqual([404, 200]);
  expect((await put(ward, rules({ resourceType: 'Encounter' }))).status).toBe(200);
  expect(await statusOf(nurse, him)).toBe(403);
});

test('its own rule says first what is hidden, then those of the first that it names; one of several ways counts once', async () => {
  const her = await patient({ gender: 'female', birthDate: '1950-03-04', name: [{ family: 'A' }] });
  const open = await make(rules({ resourceType: 'Patient' }));
  const nameless = await make(rules({ resourceType: 'Patient', hiddenFields: ['name'] }));
  const shown = async (caller: Caller) => {
    const { body } = await callFhir(caller, 'GET', her);
    return [body.name !== undefined, body.birthDate !== undefined];
  };
  expect(await shown(await member([open, nameless]))).toEqual([true, true]);
  expect(await shown(await member([nameless, open]))).toEqual([false, true]);
  const ageless: AccessPolicyRule = { resourceType: 'Patient', hiddenFields: ['birthDate'] };
  expect(await shown(await member([nameless, open], [ageless]))).toEqual([true, false]);
  const both = [await make({ basedOn: [open] }), await make({ basedOn: [open, nameless] })];
  expect(await shown(await member(both))).toEqual([true, true]);
});

test('where from, and where what is written belongs, its bases say, too; its own compartment is the one', async () => {
  const place = { value: '203.0.113.7', action: 'block' as const };
  const base = await make({
    ...rules({ resourceType: 'Patient' }),
    ipAccessRule: [place],
    compartment: { reference: 'Organization/base' },
  });
  const headers = { 'x-medplum': 'extended' };
  const accountOf = async (caller: Caller) => {
    const made = await callFhir(caller, 'POST', 'Patient', { body: { resourceType: 'Patient' }, headers });
    expect(made.status, made.text).toBe(201);
    return made.body.meta.accounts;
  };
  expect(await accountOf(await member([base]))).toEqual([{ reference: 'Organization/base' }]);
  const own = { compartment: { reference: 'Organization/own' } };
  const blocked = await member([base], [], own);
  expect(await accountOf(blocked)).toEqual([{ reference: 'Organization/own' }]);
});

describe('refused when it is saved, naming which of them', () => {
  const refused = async (policy: Policy, at: number, by?: string) => {
    const answer = by ? await put(by, policy) : await post(policy);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.issue[0].expression[0].startsWith(`AccessPolicy.basedOn[${at}]`), answer.text).toBe(true);
    return answer.body.issue[0].details.text as string;
  };

  test('what is not there, of another project, no policy, or named twice', async () => {
    const there = await make({});
    const elsewhere = await makeFhirProject();
    const other = await callFhir(elsewhere.admin, 'POST', 'AccessPolicy', { body: toBody({}) });
    await refused({ basedOn: [there, `AccessPolicy/${other.body.id}`] }, 1);
    await refused({ basedOn: [there, 'Patient/1'] }, 1);
    await refused({ basedOn: [there, there] }, 1);
    await refused({ basedOn: ['%profile'] }, 0);
  });

  test('itself, and a circle', async () => {
    const one = await make({});
    const two = await make({ basedOn: [one] });
    const three = await make({ basedOn: [two] });
    expect(await refused({ basedOn: [one] }, 0, one)).toContain('itself');
    const other = await make({});
    expect(await refused({ basedOn: [other, three] }, 1, one)).toContain('itself');
  });

  test('of two that would be based on each other at the same moment, one', async () => {
    const [one, two] = [await make({}), await make({})];
    const answers = await Promise.all([put(one, { basedOn: [two] }), put(two, { basedOn: [one] })]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length, JSON.stringify(statuses)).toBeLessThan(2);
    expect(Math.max(...statuses)).toBeLessThan(500);
    const nurse = await member([one]);
    expect(await statusOf(nurse, 'Patient')).toBe(403);
  });

  test('more than eight one upon the other, also of what stands on it', async () => {
    let top = await make({});
    const first = top;
    for (let at = 0; at < 7; at++) top = await make({ basedOn: [top] });
    await refused({ basedOn: [top] }, 0);
    await refused({ basedOn: [await make({})] }, 0, first);
  });

  test('more rules in all than a member may have', async () => {
    const heavy = rules(
      ...Array.from({ length: 20 }, () => ({
        resourceType: 'Patient',
        criteria: `Patient?_id=${'x'.repeat(60).concat(',').repeat(180)}y`,
      })),
    );
    const bases: string[] = [];
    for (let at = 0; at < 12; at++) bases.push(await make(heavy));
    const answer = await post({ basedOn: bases });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.issue[0].expression[0]).toMatch(/^AccessPolicy\.basedOn\[\d+\]$/);
  });
});

test('what another is based on is not deleted, and one that is gone closes all and is told', async () => {
  const base = await make(rules({ resourceType: 'Patient' }));
  const upon = await make({ basedOn: [base] });
  const nurse = await member([upon]);
  const kept = await callFhir(admin, 'DELETE', base);
  expectIssue(kept, 409, 'conflict');
  expect(kept.body.issue[0].details.text).toContain(upon);
  expect(await statusOf(nurse, 'Patient')).toBe(200);
  const id = base.split('/')[1]!;
  const gone = await makeGone(id);
  const list = await callApi(admin.authorization, 'GET', pathOf());
  expect(list.status, list.text).toBe(200);
  expect(list.body.gone).toEqual([{ reference: base, members: 1 }]);
  const later = await member([upon]);
  const closed = await callFhir(later, 'GET', 'Patient');
  expect(closed.status).toBe(400);
  expect(closed.text).not.toContain(id);
  await gone.back();
});

/** Something takes it away that goes round the rules. */
async function makeGone(id: string) {
  const set = (deleted: boolean) =>
    ownDb().execute(sql`
      update resource set deleted = ${deleted}
      where project_id = ${project.projectId} and type_id = ${typeId('AccessPolicy')} and id = ${id}`);
  await set(true);
  return { back: () => set(false) };
}

test('who has it through another is counted, in the list and before it is saved', async () => {
  const base = await make({ name: 'Base', ...rules({ resourceType: 'Group' }) });
  const upon = await make({ name: 'Upon', basedOn: [base] });
  await member([upon]);
  await member([base]);
  const { body } = await callApi(admin.authorization, 'GET', pathOf('?name=Base'));
  const listed = body.rows.find(({ id }: { id: string }) => `AccessPolicy/${id}` === base);
  expect(listed).toMatchObject({ members: 0, through: 2, policies: 3, basedOn: [] });
  const { body: above } = await callApi(admin.authorization, 'GET', pathOf('?name=Upon'));
  expect(above.rows[0]).toMatchObject({
    members: 0,
    through: 1,
    policies: 1,
    basedOn: [{ reference: base, display: 'Base' }],
  });
  const draft = toBody({ name: 'Base', ...rules({ resourceType: 'Task' }) });
  const effect = await callApi(admin.authorization, 'POST', pathOf(`/${base.split('/')[1]}/effect`), { body: draft });
  expect(effect.status, effect.text).toBe(200);
  expect(effect.body).toMatchObject({ members: { count: 2, isExact: true }, types: ['Group', 'Task'], broken: 0 });
});

test('an administrator whom a policy limits changes none that theirs is based on', async () => {
  const base = await make(rules({ resourceType: 'Patient' }));
  const other = await make(rules({ resourceType: 'Patient' }));
  const limited = await member([base], [], {}, { admin: true });
  expect((await put(base, rules({ resourceType: '*' }), limited)).status).toBe(403);
  expect((await put(other, rules({ resourceType: 'Task' }), limited)).status).toBe(200);
});

test('nor one of a further membership of theirs, by which they could come in', async () => {
  const world = await createWorld();
  const [one, other] = [
    await makePolicy(world, 'One', [{ resourceType: 'Patient' }]),
    await makePolicy(world, 'Other', [{ resourceType: 'Task' }]),
  ];
  const as = (policy: string) => ({
    email: 'two@example.com',
    membership: { admin: true, accessPolicy: { reference: policy } },
  });
  const first = await world.invite(as(one));
  const second = await world.invite({ ...as(other), forceNewMembership: true });
  expect(second.user.reference).toBe(first.user.reference);
  const bearer = await signIn(world.projectId, first.id, first.user.reference);
  const body = toBody(rules({ resourceType: '*' }), other.split('/')[1]);
  expect((await callApi(bearer, 'PUT', `/fhir/R4/${other}`, { body })).status).toBe(403);
});

test('explained, the rule is told with the policy in which it stands', async () => {
  const base = await make({ name: 'Base', ...rules({ resourceType: 'Task' }, { resourceType: 'Patient' }) });
  const nurse = await member([base], [{ resourceType: 'Group' }]);
  const body = { membership: `ProjectMembership/${nurse.membershipId}`, interaction: 'read', resourceType: 'Patient' };
  const path = `/admin/projects/${project.projectId}/access/explain`;
  const answer = await callApi(admin.authorization, 'POST', path, { body });
  expect(answer.status, answer.text).toBe(200);
  const { rule, rules: told } = answer.body;
  expect(told[rule]).toMatchObject({ policy: { reference: base, display: 'Base' }, index: 1 });
  // A draft of the base stands in its place also for who has it through another.
  const less = { ...toBody({ name: 'Base', ...rules({ resourceType: 'Task' }) }), id: base.split('/')[1] };
  const then = await callApi(admin.authorization, 'POST', path, { body: { ...body, policy: less } });
  expect(then.body.outcome, then.text).toBe('deny');
  const draft = { resourceType: 'AccessPolicy', name: 'Draft', basedOn: [{ reference: base }] };
  const asked = { policy: draft, interaction: 'read', resourceType: 'Patient' };
  expect((await callApi(admin.authorization, 'POST', path, { body: asked })).body.outcome).toBe('allow');
});
