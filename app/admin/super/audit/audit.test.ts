import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, makeOwner, makePerson } from '#lib/testing/people.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

let root: string;

beforeAll(async () => {
  root = await createSuperAdmin();
});

function guess(email: string, remote: string) {
  return callAuth('POST', '/auth/login', { body: { email, password: 'Wrong-Hammock-41' }, remote });
}

async function above(query: string) {
  const { status, body } = await callApi(root, 'GET', `/admin/super/audit?${query}`);
  expect(status).toBe(200);
  return body.rows;
}

describe('GET /admin/super/audit', () => {
  test('the rows above projects, with the names of those concerned', async () => {
    const { userId } = await makePerson();
    const [row] = await above(`target=User/${userId}`);
    expect(row).toMatchObject({ action: 'user.create', target: { reference: `User/${userId}`, display: 'Ada Stone' } });
  });

  test('403 for the administrator of a project, 401 for nobody, 400 names what is wrong', async () => {
    const world = await createWorld();
    expect((await callApi(world.owner.bearer, 'GET', '/admin/super/audit')).status).toBe(403);
    expect((await callApi(undefined, 'GET', '/admin/super/audit')).status).toBe(401);
    expect((await callApi(root, 'GET', '/admin/super/audit?outcome=x')).body.issue[0].expression).toEqual(['outcome']);
  });
});

describe('a sign-in that fails', () => {
  test('leaves one row for all guesses at an account, with their number and where they came from', async () => {
    const owner = await makeOwner();
    const from = (n: number) => `10.7.${n % 3}.1`;
    const tries = await Promise.all(Array.from({ length: 13 }, (_, n) => guess(owner.email, from(n))));
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3);
    await flushFailures();
    const rows = await above(`target=User/${owner.userId}&action=login.failed`);
    expect(rows).toEqual([]);
    const session = await callApi(root, 'GET', `/admin/projects/${owner.projectId}/audit?action=login.failed`);
    const found: { after: { count: number; refused?: number; networks: string[] } }[] = session.body.rows;
    // On a busy machine the first row is written before the last guess is answered.
    expect([1, 2]).toContain(found.length);
    const about = { target: { reference: `User/${owner.userId}` }, actor: { reference: null }, outcome: 'failure' };
    for (const row of found) expect(row).toMatchObject(about);
    expect(found.reduce((sum, { after }) => sum + after.count, 0)).toBe(13);
    expect(found.reduce((sum, { after }) => sum + (after.refused ?? 0), 0)).toBe(3);
    expect([...new Set(found.flatMap(({ after }) => after.networks))].sort()).toEqual([from(0), from(1), from(2)]);
    expect(JSON.stringify(session.body.rows)).not.toContain(owner.email);
  });

  test('is filed above projects for who is in several, and for addresses that nobody has together, without a name', async () => {
    const owner = await makeOwner();
    await addProject(owner.userId, owner.email);
    const stranger = newId();
    await guess(owner.email, '10.8.0.1');
    await guess(`${stranger}@example.com`, '10.8.0.2');
    await flushFailures();
    expect(await above(`target=User/${owner.userId}&action=login.failed`)).toMatchObject([{ after: { count: 1 } }]);
    const [unknown] = await above('target=User/unknown');
    expect(unknown).toMatchObject({ action: 'login.failed', outcome: 'failure' });
    expect(JSON.stringify(unknown)).not.toContain(stranger);
  });
});

describe('the setting auditReads', () => {
  let world: World;
  const set = (setting: unknown[]) => world.call('POST', '/settings', { body: setting });
  const fhir = (path: string) => callApi(world.owner.bearer, 'GET', `/fhir/R4/${path}`);
  const reads = async () => {
    await flushReads();
    const { body } = await world.call('GET', '/audit?action=resource.read,resource.search');
    return body.rows.map(
      ({ action, target }: { action: string; target: { reference: string } }) => `${action} ${target.reference}`,
    );
  };
  let id: string;

  beforeAll(async () => {
    world = await createWorld();
    const body = { resourceType: 'Patient', name: [{ family: 'Secret' }] };
    ({ id } = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body })).body);
  });

  test('is off until an administrator sets it, and is true or false', async () => {
    await fhir(`Patient/${id}`);
    expect(await reads()).toEqual([]);
    expect((await set([{ name: 'auditReads', valueString: 'yes' }])).status).toBe(400);
  });

  test('each record read and each type searched is written with who and when, never what was searched for', async () => {
    expect((await set([{ name: 'auditReads', valueBoolean: true }])).status).toBe(200);
    for (const path of [
      `Patient/${id}`,
      `Patient/${id}/_history`,
      `Patient/${id}/_history/1`,
      'Patient?family=Secret',
    ]) {
      expect((await fhir(path)).status).toBe(200);
    }
    expect((await fhir(`Patient/${newId()}`)).status).toBe(404);
    await fhir('ProjectMembership');
    const read = `resource.read Patient/${id}`;
    expect((await reads()).sort()).toEqual([read, read, read, 'resource.search Patient']);
    const { body } = await world.call('GET', '/audit?action=resource.search&target=Patient');
    expect(body.rows[0]).toMatchObject({
      actor: { display: 'Olga Owner' },
      outcome: 'success',
      before: null,
      after: { found: [id] },
    });
    expect(JSON.stringify(body)).not.toContain('Secret');
  });

  test('stops when it is taken back', async () => {
    const before = await reads();
    await set([]);
    await fhir(`Patient/${id}`);
    expect(await reads()).toEqual(before);
  });
});

describe('a change of nothing writes no row', () => {
  test('of a membership, of the settings, of a client that is off', async () => {
    const world = await createWorld();
    const ben = await world.invite();
    const client = await world.call('POST', '/client', { body: { name: 'Program' } });
    const setting = [{ name: 'color', valueString: 'blue' }];
    await world.call('POST', '/settings', { body: setting });
    await world.call('POST', `/clients/${client.body.id}/disable`);
    const count = async () => (await world.call('GET', '/audit?_count=100')).body.rows.length;
    const before = await count();
    const membership = (await world.call('GET', `/members/${ben.id}`)).body;
    const answers = [
      await world.call('PATCH', `/members/${ben.id}`, { body: [{ op: 'test', path: '/id', value: ben.id }] }),
      await world.call('POST', `/members/${ben.id}`, { body: membership }),
      await world.call('POST', '/settings', { body: setting }),
      await world.call('POST', `/clients/${client.body.id}/disable`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers[1]?.body.meta.versionId).toBe(membership.meta.versionId);
    expect(await count()).toBe(before);
  });
});
