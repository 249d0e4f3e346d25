import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { acceptedMember, login } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeMember, makeClient, makeOwner, PASSWORD, refresh, signIn as signInTo } from '#lib/testing/people.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const HOUR_MS = 3_600_000;
const WAIT = { timeout: 20_000, interval: 50 };
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

let world: World;

beforeAll(async () => {
  world = await createWorld();
  await startInvalidation();
  return stopInvalidation;
});

type Dates = { period?: unknown; suspendedUntil?: unknown };

function date(id: string, dates: Dates, { of = world, query = '' } = {}) {
  const body = Object.entries(dates).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
  return of.call('PATCH', `/members/${id}${query}`, { body });
}

async function someone(fields: Record<string, unknown> = {}, of = world) {
  const { id, user } = await of.invite(fields);
  return { id, user: user.reference, bearer: await signIn(of.projectId, id, user.reference) };
}

const read = async (bearer: string) => (await callApi(bearer, 'GET', '/fhir/R4/Patient?_count=1')).status;
const whoAmI = async (bearer: string) => (await callApi(bearer, 'GET', '/auth/me')).status;

describe('the end of a membership', () => {
  test('acts on requests and sign-ins at once, and taking it away lets in again', async () => {
    const member = await acceptedMember(world);
    const bearer = await signIn(world.projectId, member.id, `User/${member.userId}`);
    const enter = () => login(member.email, PASSWORD, world.projectId);
    expect([await whoAmI(bearer), await enter()]).toEqual([200, 200]);
    const set = await date(member.id, { period: { start: '2020-01-01', end: inHours(-1) } });
    expect(set.status, set.text).toBe(200);
    expect([await whoAmI(bearer), await enter()]).toEqual([401, 400]);
    const seen = await world.call('GET', `/members/${member.id}`);
    expect(seen.body.period.start).toBe('2020-01-01');
    const gone = await world.call('PATCH', `/members/${member.id}`, { body: [{ op: 'remove', path: '/period' }] });
    expect([gone.status, await whoAmI(bearer), await enter()]).toEqual([200, 200, 200]);
  });

  test('comes to a live token without a word, and costs no statement until then', async () => {
    const { id, bearer } = await someone();
    expect((await date(id, { period: { end: inHours(0.5) } })).status).toBe(200);
    await vi.waitFor(async () => {
      const statements: string[] = [];
      const stop = watchStatements((text) => void statements.push(text));
      expect(await read(bearer)).toBe(200);
      stop();
      expect(statements.filter((text) => /membership_key|from login/.test(text))).toEqual([]);
    }, WAIT);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 0.51 * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect(await read(bearer)).toBe(401);
    vi.useRealTimers();
    expect(await read(bearer)).toBe(200);
  });

  test('ends refreshes, introspection and acting on behalf', async () => {
    const owner = await makeOwner();
    const asks = await makeClient(owner.projectId, {}, { admin: true });
    const { tokens, access } = await signInTo(owner, { scope: 'openid offline' });
    const isActive = async () => {
      const body = new URLSearchParams({ token: access });
      return (await callAuth('POST', '/oauth2/introspect', { body, headers: { authorization: asks.basic } })).body
        .active;
    };
    const behalf = async () => {
      const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${owner.membershipId}` };
      return (await callApi(asks.basic, 'GET', '/fhir/R4/Patient', { headers })).status;
    };
    expect([await isActive(), await behalf()]).toEqual([true, 200]);
    await changeMember(owner, { period: { end: inHours(-1) } });
    expect([await isActive(), await behalf()]).toEqual([false, 404]);
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    await changeMember(owner, { period: { end: inHours(1) } });
    expect([await isActive(), (await refresh(tokens.refresh_token)).status]).toEqual([true, 200]);
  });

  test('a day is whole, in UTC: who ends today is in until midnight', async () => {
    const { id, bearer } = await someone();
    const today = new Date().toISOString().slice(0, 10);
    const yesterday = new Date(Date.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
    expect((await date(id, { period: { start: today, end: today } })).status).toBe(200);
    // Midnight may just have passed.
    if (new Date().toISOString().startsWith(today)) expect(await whoAmI(bearer)).toBe(200);
    expect((await date(id, { period: { end: yesterday } })).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(401);
  });
});

describe('leave', () => {
  test('nobody on leave comes in before it ends; what they had is there afterwards', async () => {
    const { id, bearer } = await someone();
    expect((await date(id, { suspendedUntil: inHours(24) })).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(401);
    expect((await date(id, { suspendedUntil: inHours(-1) })).status).toBe(200);
    expect(await whoAmI(bearer)).toBe(200);
  });

  test('an invitation may say from when and until when: who has a password waits for the first day', async () => {
    const later = { period: { start: inHours(24), end: inHours(48) } };
    const email = 'later@example.com';
    const made = await world.call('POST', '/invite', {
      body: {
        ...{ resourceType: 'Practitioner', firstName: 'Lea', lastName: 'Later', email, password: PASSWORD },
        ...{ scope: 'project', sendEmail: false, membership: later },
      },
    });
    expect([made.status, made.body.period]).toEqual([200, later.period]);
    expect(await login(email, PASSWORD, world.projectId)).toBe(400);
    expect((await date(made.body.id, { period: { start: inHours(-1) } })).status).toBe(200);
    expect(await login(email, PASSWORD, world.projectId)).toBe(200);
  });
});

describe('who administers', () => {
  const reasonOf = (answer: { body: { issue: { details: { coding?: { code: string }[] } }[] } }) =>
    answer.body.issue[0]?.details.coding?.[0]?.code;

  test('no date takes the owner away, nor the last administrator whom none takes', async () => {
    const of = await createWorld();
    for (const dates of [{ period: { end: '2999' } }, { suspendedUntil: inHours(1) }, { period: { end: '2001' } }]) {
      const answer = await date(of.owner.membershipId, dates, { of, query: '?force=true' });
      expect([answer.status, reasonOf(answer)]).toEqual([409, 'owner']);
    }
    const owner = await makeOwner();
    await changeMember(owner, { admin: false });
    const caller = await makeClient(owner.projectId, {}, { admin: true });
    const bare = `/admin/projects/${owner.projectId}`;
    const invited = async () => {
      const body = {
        resourceType: 'Practitioner',
        firstName: 'Ann',
        lastName: 'Two',
        externalId: crypto.randomUUID(),
        admin: true,
      };
      return (await callApi(caller.basic, 'POST', `${bare}/invite`, { body })).body;
    };
    const [one, two] = [await invited(), await invited()];
    const end = (id: string) =>
      callApi(caller.basic, 'PATCH', `${bare}/members/${id}`, {
        headers: { 'content-type': 'application/json-patch+json' },
        body: [{ op: 'add', path: '/period', value: { end: '2999-12-31' } }],
      });
    // Of both at once one stays.
    const answers = await Promise.all([end(one.id), end(two.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409)!;
    expect(reasonOf(refused)).toBe('last-admin');
  });

  test('a member without the administration changes no dates, and neither does another project', async () => {
    const { id, bearer } = await someone();
    const body = [{ op: 'add', path: '/period', value: { end: '2999' } }];
    expectOutcome(await world.call('PATCH', `/members/${id}`, { body, bearer }), 403);
    const other = await createWorld();
    expectOutcome(await world.call('PATCH', `/members/${id}`, { body, bearer: other.owner.bearer }), 403);
  });
});

test.each([
  ['an end before the start', { period: { start: '2026-05-02', end: '2026-05-01' } }, 'ProjectMembership.period.end'],
  ['the year 0', { period: { start: '0000-01-01' } }, 'ProjectMembership.period.start'],
  ['a year of five digits', { period: { end: '10000-01-01' } }, 'ProjectMembership.period.end'],
  ['no day', { suspendedUntil: '2026-02-30' }, 'ProjectMembership.suspendedUntil'],
  ['a number', { suspendedUntil: 5 }, 'ProjectMembership.suspendedUntil'],
  ['NUL', { suspendedUntil: '2026\u0000' }, '[0].value'],
  ['half a pair', { period: { end: '\ud800' } }, '[0].value.end'],
  ['a list', { period: ['2026'] }, 'ProjectMembership.period'],
])('%s: 400', async (_, dates, expression) => {
  const { id } = await someone();
  const answer = await date(id, dates);
  expectOutcome(answer, 400);
  expect(answer.body.issue[0].expression?.[0] ?? expression).toContain(expression);
});

test.each(['0001-01-01', '9999', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00+14:00'])(
  'the ends of time: %s',
  async (at) => {
    const { id } = await someone();
    expect((await date(id, { period: { end: at } })).status).toBe(200);
    expect((await date(id, { period: { start: at } })).status).toBe(200);
    expect((await date(id, { suspendedUntil: at })).status).toBe(200);
  },
);

test('a program has no dates', async () => {
  const { membershipId } = await makeClient(world.projectId);
  expectOutcome(await date(membershipId, { period: { end: '2999' } }), 400, 'ProjectMembership.period');
});
