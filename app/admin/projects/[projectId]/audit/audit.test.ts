import { expect, test } from 'vitest';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

async function list(world: World, query = '') {
  const answer = await world.call('GET', `/audit${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

test('a change is told with the names of who made it and whom it concerns, also of those who are gone', async () => {
  const world = await createWorld();
  const member = await world.invite({ firstName: 'Ida', lastName: 'Gone' });
  const promoted = await world.call('PATCH', `/members/${member.id}`, {
    body: [{ op: 'add', path: '/admin', value: true }],
  });
  await world.call('DELETE', `/members/${member.id}`);
  const target = `ProjectMembership/${member.id}`;
  const { rows, names } = await list(world, `?target=${target}`);
  expect(rows.map((row: { action: string }) => row.action)).toEqual([
    'membership.delete',
    'membership.update',
    'membership.create',
  ]);
  expect(rows[1]).toMatchObject({
    actor: { reference: expect.stringMatching(/^Practitioner\//), display: 'Olga Owner' },
    target: { reference: target, display: 'Ida Gone' },
    outcome: 'success',
    before: { admin: false },
    after: { admin: true },
    requestId: promoted.headers.get('x-request-id'),
    onBehalfOf: null,
  });
  expect(names[rows[1].before.accessPolicy]).toMatch(/\w/);
  expect(names[member.profile.reference]).toBe('Ida Gone');
});

test('filters narrow by actor, action, kind of target, outcome and time', async () => {
  const world = await createWorld();
  const start = new Date().toISOString();
  await world.invite({ resourceType: 'Patient' });
  const [{ linkId }] = (await world.call('GET', '/invites')).body.rows;
  await world.call('POST', `/invites/${linkId}/extend`);
  const actions = async (query: string) => (await list(world, query)).rows.map((row: { action: string }) => row.action);
  expect(await actions('?action=invite.extend')).toEqual(['invite.extend']);
  expect(await actions('?action=invite.*,client.create')).toEqual(['invite.extend', 'client.create']);
  expect(await actions('?action=inv.*')).toEqual([]);
  expect(await actions('?target=User')).toEqual(['user.create']);
  expect(new Set(await actions('?target=User,Patient'))).toEqual(new Set(['user.create', 'resource.create']));
  expectOutcome(await world.call('GET', '/audit?target=User,'), 400, 'target');
  expectOutcome(await world.call('GET', `/audit?target=${Array(6).fill('User').join(',')}`), 400, 'target');
  expect(await actions('?outcome=failure')).toEqual([]);
  expect(await actions(`?to=${start}&action=invite.*`)).toEqual([]);
  expect((await actions(`?from=${start}`)).length).toBeGreaterThanOrEqual(3);
  const [{ actor }] = (await list(world, '?action=invite.extend')).rows;
  expect(await actions(`?actor=${actor.reference}&action=invite.extend`)).toHaveLength(1);
  expect(await actions('?actor=Practitioner/nobody')).toEqual([]);
});

test('pages follow each other without a gap or a repeat, while more is written', async () => {
  const world = await createWorld();
  for (let n = 0; n < 3; n++) await world.invite();
  const all = (await list(world)).rows.map((row: { id: string }) => row.id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await list(world, `?_count=4${cursor && `&cursor=${cursor}`}`);
    seen.push(...page.rows.map((row: { id: string }) => row.id));
    cursor = page.next ?? '';
    await world.invite();
  } while (cursor);
  expect(seen).toEqual(all);
});

test('nothing secret is in it', async () => {
  const world = await createWorld();
  await world.invite({ password: 'Violet-Hammock-41' });
  const made = await world.call('POST', '/client', { body: { name: 'Nightly' } });
  const { text } = await world.call('GET', '/audit?_count=200');
  for (const secret of ['Violet-Hammock-41', made.body.secret]) expect(text).not.toContain(secret);
});

test('only for administrators of the project, who see nothing of another', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  expectOutcome(await world.call('GET', '/audit', { bearer: null }), 401);
  expectOutcome(await world.call('GET', '/audit', { bearer: other.owner.bearer }), 403);
  const { rows } = await list(other);
  expect(JSON.stringify(rows)).not.toContain(world.projectId);
});

test.each([
  ['?actor=x', 'actor'],
  ['?target=/', 'target'],
  ['?action=%25', 'action'],
  ['?outcome=maybe', 'outcome'],
  ['?from=yesterday', 'from'],
  ['?cursor=AAAA', 'cursor'],
  ['?_count=201', '_count'],
  ['?who=x', 'who'],
])('%s is refused by name', async (query, name) => {
  const world = await createWorld();
  expectOutcome(await world.call('GET', `/audit${query}`), 400, name);
});

test('the name of a person above projects is told where they are known, and nowhere else', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const stranger = `User/${other.owner.userId}`;
  const policy = { resourceType: 'AccessPolicy', name: 'P', resource: [{ resourceType: 'Patient' }] };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body: policy });
  const parameter = [{ name: 'z', valueString: stranger }];
  const access = [{ policy: { reference: `AccessPolicy/${made.body.id}` }, parameter }];
  await world.invite({ membership: { access } });
  expect((await list(world)).names).not.toHaveProperty([stranger]);
  const own = `User/${world.owner.userId}`;
  await world.invite({ membership: { access: [{ ...access[0], parameter: [{ name: 'z', valueString: own }] }] } });
  expect((await list(world)).names).toHaveProperty([own]);
});

test.each(['from=0000-01-01T00:00:00Z', 'to=0000-01-01T00:00:00Z', `cursor=${yearZero()}`])(
  '%s is a 400: PostgreSQL has no year 0',
  async (query) => {
    const world = await createWorld();
    expectOutcome(await world.call('GET', `/audit?${query}`), 400);
  },
);

function yearZero(): string {
  return btoa(`0000-01-01T00:00:00.000Z ${crypto.randomUUID()}`).replace(/=+$/, '');
}
