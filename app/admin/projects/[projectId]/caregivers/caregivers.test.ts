import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import type { CaregiverOutcome } from '#lib/protocol/caregivers/answers.ts';
import { MAX_ACCESS } from '#lib/protocol/fhir/identity/bounds.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

let world: World;
let kin: string;
let plain: string;
let patients: string[];

const make = async (of: World, type: string, body: object): Promise<string> => {
  const made = await callApi(of.owner.bearer, 'POST', `/fhir/R4/${type}`, { body: { resourceType: type, ...body } });
  expect(made.status, made.text).toBe(201);
  return `${type}/${made.body.id}`;
};
const KIN = [{ resourceType: 'Patient', criteria: 'Patient?_id=%patient.id', readonly: true }];

beforeAll(async () => {
  world = await createWorld();
  kin = await make(world, 'AccessPolicy', { name: 'Kin', resource: KIN });
  plain = await make(world, 'AccessPolicy', { name: 'Plain', resource: [{ resourceType: 'Task' }] });
  patients = await Promise.all([1, 2, 3].map(() => make(world, 'Patient', { gender: 'female' })));
});

const limited = () => world.invite({ accessPolicy: { reference: plain } });
const entry = (patient: string | undefined, policy = kin) => ({
  policy: { reference: policy },
  parameter: [{ name: 'patient', valueReference: { reference: patient } }],
});
const accessOf = async (id: string) => (await world.call('GET', `/members/${id}`)).body.access ?? [];

function change(fields: object, bearer?: string | null) {
  return world.call('POST', '/caregivers', { body: { act: 'add', policy: kin, patients, ...fields }, bearer });
}

async function rowsOf(fields: object, bearer?: string): Promise<CaregiverOutcome[]> {
  const { status, body, text } = await change(fields, bearer);
  expect(status, text).toBe(200);
  return body.rows;
}

describe('200', () => {
  test('each member gets an entry for each patient, in one version; asked again nothing changes', async () => {
    const [one, two] = [await limited(), await limited()];
    const members = [{ membership: one.id }, { membership: two.id, version: 1 }];
    expect(await rowsOf({ members })).toEqual([
      { membership: one.id, outcome: 'changed', entries: 3, version: 2 },
      { membership: two.id, outcome: 'changed', entries: 3, version: 2 },
    ]);
    expect(await accessOf(one.id)).toEqual(patients.map((patient) => entry(patient)));
    expect(await rowsOf({ members: [{ membership: one.id }] })).toEqual([
      { membership: one.id, outcome: 'unchanged', entries: 0, version: 2 },
    ]);
    expect((await auditOf(world.projectId, `ProjectMembership/${one.id}`))[0]).toBe('membership.update');
    const bearer = await signIn(world.projectId, one.id, one.user.reference);
    expect((await callApi(bearer, 'GET', '/fhir/R4/Patient')).body.entry).toHaveLength(3);
    const [first] = patients;
    expect(await rowsOf({ act: 'remove', patients: [first], members: [{ membership: one.id }] })).toMatchObject([
      { outcome: 'changed', entries: 1 },
    ]);
    expect((await callApi(bearer, 'GET', '/fhir/R4/Patient')).body.entry).toHaveLength(2);
  });

  test('what one member is refused leaves the others alone, and says why', async () => {
    const [open, gone, old, fine] = [await world.invite(), await limited(), await limited(), await limited()];
    await world.call('DELETE', `/members/${gone.id}`);
    const without = await world.call('PATCH', `/members/${open.id}`, {
      body: [{ op: 'remove', path: '/accessPolicy' }],
    });
    expect(without.status, without.text).toBe(200);
    const members = [
      { membership: open.id },
      { membership: gone.id },
      { membership: old.id, version: 7 },
      { membership: newId() },
      { membership: fine.id },
    ];
    expect(await rowsOf({ members })).toMatchObject([
      {
        outcome: 'failed',
        code: 'conflict',
        message: 'This member has no policy, and so reaches everything; give one first',
      },
      { outcome: 'failed', code: 'gone' },
      { outcome: 'failed', code: 'precondition-failed' },
      { outcome: 'failed', code: 'not-found' },
      { outcome: 'changed' },
    ]);
  });

  test('the last entry of who has nothing else is not taken away: that would open everything', async () => {
    const [patient] = patients;
    const someone = await world.invite({ membership: { access: [entry(patient)] } });
    const fields = { act: 'remove', patients: [patient], members: [{ membership: someone.id }] };
    expect(await rowsOf(fields)).toMatchObject([{ outcome: 'failed', code: 'conflict' }]);
    expect(await accessOf(someone.id)).toHaveLength(1);
  });

  test('an entry that says more than the patient stays when that of the patient goes', async () => {
    const [patient] = patients;
    const more = entry(patient);
    more.parameter.push({ name: 'unit', valueReference: { reference: 'Organization/x' } });
    const someone = await world.invite({ membership: { access: [more, entry(patient)] } });
    await rowsOf({ act: 'remove', patients: [patient], members: [{ membership: someone.id }] });
    expect(await accessOf(someone.id)).toEqual([more]);
  });

  test('an entry with a period, which may be over, does not stand for one without, and goes with the patient', async () => {
    const [patient] = patients;
    const over = { ...entry(patient), period: { end: '2020-01-01' } };
    const someone = await world.invite({
      membership: { access: [over, { policy: { reference: plain } }] },
    });
    const members = [{ membership: someone.id }];
    expect(await rowsOf({ patients: [patient], members })).toMatchObject([{ outcome: 'changed', entries: 1 }]);
    const bearer = await signIn(world.projectId, someone.id, someone.user.reference);
    expect((await callApi(bearer, 'GET', `/fhir/R4/${patient}`)).status).toBe(200);
    expect(await rowsOf({ act: 'remove', patients: [patient], members })).toMatchObject([{ entries: 2 }]);
  });

  test('asked fifty times at once for one member, each patient is there once', async () => {
    const someone = await limited();
    const all = await Promise.all(Array.from({ length: 50 }, () => rowsOf({ members: [{ membership: someone.id }] })));
    expect(all.flat().filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
    expect(await accessOf(someone.id)).toHaveLength(3);
  });

  test('a membership that has no room for all of them stays as it is, and a dangling entry can be taken away', async () => {
    const someone = await limited();
    const value = Array.from({ length: MAX_ACCESS - 2 }, (_, at) => entry(`Patient/p${at}`));
    const filled = await world.call('PATCH', `/members/${someone.id}`, {
      body: [{ op: 'add', path: '/access', value }],
    });
    expect(filled.status, filled.text).toBe(200);
    expect(await rowsOf({ members: [{ membership: someone.id }] })).toMatchObject([
      { outcome: 'failed', code: 'structure' },
    ]);
    const fields = { act: 'remove', patients: ['Patient/p0'], members: [{ membership: someone.id }] };
    expect(await rowsOf(fields)).toMatchObject([{ outcome: 'changed', entries: 1 }]);
  });
});

describe('400', () => {
  test.each<[string, object, string]>([
    ['no members', { members: [] }, 'members'],
    ['an act that is none', { act: 'give' }, 'act'],
    ['a policy that is not there', { policy: `AccessPolicy/${newId()}` }, 'policy'],
    ['a parameter that is no name', { parameter: '.*' }, 'parameter'],
    ['a parameter that the policy does not have', { parameter: 'ward' }, 'parameter'],
    ['a patient twice', { patients: ['Patient/a', 'Patient/a'] }, 'patients'],
    ['another record', { patients: ['Practitioner/a'] }, 'patients[0]'],
    ['a patient who is not there', { patients: ['Patient/a'] }, 'patients[0]'],
    [
      'more than 500 entries',
      {
        members: Array.from({ length: 100 }, () => ({ membership: newId() })),
        patients: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `Patient/${id}`),
      },
      'patients',
    ],
  ])('%s', async (_, fields, expression) => {
    expectOutcome(await change({ members: [{ membership: newId() }], ...fields }), 400, expression);
  });

  test.each<[string, string, object]>([
    ['its name alone', 'patient', { name: 'About %patient' }],
    ['what it means by itself', 'profile', { criteria: 'Observation?subject=%profile' }],
    ['the moment', 'now', { criteria: 'Observation?date=le%now' }],
    ['a longer name', 'pat', { criteria: 'Observation?subject=%pat-x' }],
  ])(
    'a policy that speaks of the parameter by %s is not given for patients',
    async (_, parameter, { name = 'x', ...more }: { name?: string }) => {
      const policy = await make(world, 'AccessPolicy', { name, resource: [{ resourceType: 'Observation', ...more }] });
      const members = [{ membership: (await limited()).id }];
      expectOutcome(await change({ policy, parameter, members }), 400, 'parameter');
    },
  );

  test('a patient whom a policy hides from the administrator is as unknown as none', async () => {
    const [seen, hidden] = patients;
    const rules = [{ resourceType: 'Patient', criteria: `Patient?_id=${seen?.slice('Patient/'.length)}` }];
    const policy = await make(world, 'AccessPolicy', { name: 'One', resource: rules });
    const { id, user } = await world.invite({ membership: { admin: true, accessPolicy: { reference: policy } } });
    const bearer = await signIn(world.projectId, id, user.reference);
    const someone = await limited();
    const members = [{ membership: someone.id }];
    const [one, none] = [
      await change({ members, patients: [hidden] }, bearer),
      await change({ members, patients: ['Patient/none'] }, bearer),
    ];
    expectOutcome(one, 400, 'patients[0]');
    expect(one.text.replaceAll(hidden!, '#')).toBe(none.text.replaceAll('Patient/none', '#'));
    expect(await rowsOf({ members, patients: [seen] }, bearer)).toMatchObject([{ outcome: 'changed' }]);
    expect(await rowsOf({ members: [{ membership: id }], patients: [seen] }, bearer)).toMatchObject([
      { outcome: 'failed', code: 'forbidden' },
    ]);
  });
});

test('403: a member gives nobody anything', async () => {
  const { id, user } = await limited();
  expectOutcome(
    await change({ members: [{ membership: id }] }, await signIn(world.projectId, id, user.reference)),
    403,
  );
});

test('404: a member of another project is as unknown as none', async () => {
  const other = await createWorld();
  const rows = await rowsOf({ members: [{ membership: other.owner.membershipId }, { membership: newId() }] });
  expect(rows).toMatchObject([{ code: 'not-found' }, { code: 'not-found' }]);
});

test('the example of docs/access-policies.md answers as it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/access-policies.md'), 'utf8');
  const [, body = ''] = /^```http 200\nPOST \/admin\/projects\/\{project\}\/caregivers\n(.*?)^```/ms.exec(page) ?? [];
  const someone = await limited();
  const said: Record<string, string> = { policy: kin, patient: patients[0]!, other: patients[1]!, member: someone.id };
  const text = body.replace(/\{(\w+)\}/g, (whole, name: string) => said[name] ?? whole);
  const answer = await world.call('POST', '/caregivers', { body: JSON.parse(text) });
  expect(answer.body.rows).toMatchObject([{ outcome: 'changed', entries: 2 }]);
});
