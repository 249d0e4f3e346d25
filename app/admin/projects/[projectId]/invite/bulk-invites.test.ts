import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createWorld, invitation, type World } from '#lib/testing/world.ts';

type Row = Record<string, unknown>;

async function preflight(world: World, rows: unknown[]) {
  const answer = await world.call('POST', '/invite/preflight', { body: { rows } });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function batch(world: World, rows: unknown[], dryRun = false) {
  const answer = await world.call('POST', `/invite/batch${dryRun ? '?dryRun=true' : ''}`, { body: rows });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

async function makeProfile(world: World, type: string, email: string): Promise<string> {
  const body = { resourceType: type, name: [{ family: 'There' }], telecom: [{ system: 'email', value: email }] };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${type}`, { body });
  expect(answer.status, answer.text).toBe(201);
  return `${type}/${answer.body.id}`;
}

/** One row of every kind there is, in a project that has met some of these people. */
async function makeRows(world: World): Promise<Record<string, Row>> {
  const other = await createWorld();
  const elsewhere = await other.invite();
  const member = await world.invite();
  const known = await world.invite({ externalId: 'mrn-1', email: undefined, resourceType: 'Patient' });
  expect(known.id).toBeDefined();
  const [one, two, again] = [anEmail(), anEmail(), anEmail()];
  await makeProfile(world, 'Practitioner', one);
  const thief = await world.invite();
  const taken = anEmail();
  const telecom = [{ op: 'replace', path: '/telecom', value: [{ system: 'email', value: taken }] }];
  const type = { 'content-type': 'application/json-patch+json' };
  const path = `/fhir/R4/${thief.profile.reference}`;
  const patched = await callApi(world.owner.bearer, 'PATCH', path, { body: telecom, headers: type });
  expect(patched.status, patched.text).toBe(200);
  await makeProfile(world, 'Patient', two);
  await makeProfile(world, 'Patient', two);
  const patient = await makeProfile(world, 'Patient', anEmail());
  return {
    'new person': invitation(),
    'new patient': invitation({ resourceType: 'Patient' }),
    'login elsewhere': invitation({ email: elsewhere.user.display }),
    'login elsewhere, as a patient of the project': invitation({
      email: elsewhere.user.display,
      resourceType: 'Patient',
    }),
    member: invitation({ email: member.user.display }),
    'member, upsert': invitation({ email: member.user.display, upsert: true }),
    'member, as a patient': invitation({ email: member.user.display, resourceType: 'Patient' }),
    'externalId taken': invitation({ externalId: 'mrn-1', resourceType: 'Patient' }),
    'profile there': invitation({ email: one }),
    'profile of another member': invitation({ email: taken }),
    'the same, not active yet': invitation({ email: taken, membership: { active: false } }),
    'profile of another member, by name': invitation({ membership: { profile: member.profile } }),
    'two profiles there': invitation({ email: two, resourceType: 'Patient' }),
    twice: invitation({ email: again }),
    'the second of twice': invitation({ email: again.toUpperCase() }),
    'relative of a patient': invitation({ resourceType: 'RelatedPerson', patient: { reference: patient } }),
    'relative of nobody': invitation({ resourceType: 'RelatedPerson' }),
    'relative of a stranger': invitation({ resourceType: 'RelatedPerson', patient: { reference: 'Patient/none' } }),
    'no address': invitation({ email: undefined }),
    'bad address': invitation({ email: 'nonsense' }),
    'no such policy': invitation({ accessPolicy: { reference: 'AccessPolicy/none' } }),
    'no such profile': invitation({ membership: { profile: { reference: 'Practitioner/none' } } }),
    'weak password': invitation({ password: 'password' }),
    'unknown field': invitation({ nonsense: 1 }),
  };
}

test('the preflight says of every row what the invite then does', async () => {
  const world = await createWorld();
  const named = await makeRows(world);
  const rows = Object.values(named);
  const foreseen = await preflight(world, rows);
  const real = await batch(world, rows);
  expect(foreseen.total).toBe(rows.length);
  Object.keys(named).forEach((name, index) => {
    const { action, issues } = foreseen.rows[index];
    const { status, outcome } = real.results[index];
    const done = status === 'error' ? 'refuse' : status === 'upserted' ? 'update' : 'create';
    expect({ name, action }, JSON.stringify(outcome)).toEqual({ name, action: done });
    expect(issues.length > 0, name).toBe(status === 'error');
  });
  const classes = Object.fromEntries(Object.keys(named).map((name, index) => [name, foreseen.rows[index].class]));
  expect(classes).toEqual({
    'new person': 'new-person',
    'new patient': 'new-person',
    'login elsewhere': 'new-person',
    'login elsewhere, as a patient of the project': 'duplicate-row',
    member: 'already-member',
    'member, upsert': 'already-member',
    'member, as a patient': 'already-member',
    'externalId taken': 'already-member',
    'profile there': 'profile-match',
    'profile of another member': 'profile-match',
    'the same, not active yet': 'profile-match',
    'profile of another member, by name': 'profile-match',
    'two profiles there': 'several-profiles',
    twice: 'new-person',
    'the second of twice': 'duplicate-row',
    'relative of a patient': 'new-person',
    'relative of nobody': 'bad-field',
    'relative of a stranger': 'bad-field',
    'no address': 'bad-field',
    'bad address': 'bad-field',
    'no such policy': 'bad-field',
    'no such profile': 'bad-field',
    'weak password': 'bad-field',
    'unknown field': 'bad-field',
  });
  const total = Object.values(foreseen.counts as Record<string, number>).reduce((sum, count) => sum + count, 0);
  expect(total).toBe(rows.length);
});

test('neither the preflight nor a dry run tells whether somebody has an account elsewhere', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const elsewhere = await other.invite();
  for (const fields of [
    {},
    { scope: 'server', resourceType: 'Patient' },
    { upsert: true },
    { forceNewMembership: true },
  ]) {
    const pair = [invitation({ ...fields, email: elsewhere.user.display }), invitation(fields)];
    const { rows } = await preflight(world, pair);
    expect({ ...rows[0], row: 1 }).toEqual(rows[1]);
    const { results } = await batch(world, pair, true);
    expect({ ...results[0], row: 1 }).toEqual(results[1]);
  }
});

test('a dry run gives the answers of the real one and leaves nothing', async () => {
  const world = await createWorld();
  const rows = Object.values(await makeRows(world));
  const count = async () => ({
    members: (await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId))).length,
    mails: (await db().select().from(mail).where(eq(mail.projectId, world.projectId))).length,
  });
  const before = await count();
  const dry = await batch(world, rows, true);
  expect(await count()).toEqual(before);
  const real = await batch(world, rows);
  const facts = (results: Row[]) => results.map(({ row, status, httpStatus }) => ({ row, status, httpStatus }));
  const untold = (status: unknown) => (status === 'existing-user' ? 'created' : status);
  const expected = facts(real.results).map((fact) => ({ ...fact, status: untold(fact.status) }));
  expect(facts(dry.results)).toEqual(expected);
  expect(dry).toMatchObject({ dryRun: true, succeeded: real.succeeded, failed: real.failed });
  expect(dry.results.every((result: Row) => result.membership === undefined)).toBe(true);
});

test('a row that fails says why with the outcome that the invite itself would have', async () => {
  const world = await createWorld();
  const { results, succeeded, failed } = await batch(world, [invitation(), { resourceType: 'Device' }, 7]);
  expect({ succeeded, failed }).toEqual({ succeeded: 1, failed: 2 });
  expect(results[0]).toMatchObject({
    row: 0,
    status: 'created',
    httpStatus: 200,
    membership: { reference: expect.stringMatching(/^ProjectMembership\//) },
  });
  expect(results[1].httpStatus).toBe(400);
  const fields = results[1].outcome.issue.flatMap((issue: { expression?: string[] }) => issue.expression ?? []);
  expect(fields).toEqual(expect.arrayContaining(['resourceType', 'firstName', 'lastName', 'email']));
});

test('links come back only where they were asked for', async () => {
  const world = await createWorld();
  const asked = invitation({ sendEmail: false, returnLink: true });
  const { results } = await batch(world, [asked, invitation()]);
  expect(results[0].link).toMatch(/\/setpassword\/.+#.+/);
  expect(results[1].link).toBeUndefined();
});

test('five thousand rows are judged by few statements: one for all of them, or one for every five hundred', async () => {
  const world = await createWorld();
  const statementsFor = async (count: number) => {
    const rows = Array.from({ length: count }, () => invitation());
    const sent: string[] = [];
    // Invitations of the test before are counted a moment later.
    const stop = watchStatements((text) => void (text.includes('rate_counter') || sent.push(text)));
    expect((await preflight(world, rows)).counts).toMatchObject({ 'new-person': count });
    stop();
    return sent.length;
  };
  const few = await statementsFor(5);
  expect(few).toBeGreaterThan(1);
  expect(await statementsFor(5000)).toBeLessThanOrEqual(few + 5000 / 500 - 1);
});

test('more than a hundred at once are a job; an empty list, an object and an unknown parameter are refused', async () => {
  const world = await createWorld();
  const many = Array.from({ length: 101 }, () => invitation());
  expectOutcome(await world.call('POST', '/invite/batch', { body: many }), 400);
  expectOutcome(await world.call('POST', '/invite/batch', { body: [] }), 400);
  expectOutcome(await world.call('POST', '/invite/batch', { body: {} }), 400);
  expectOutcome(await world.call('POST', '/invite/batch?dry=1', { body: [invitation()] }), 400, 'dry');
  expectOutcome(await world.call('POST', '/invite/preflight', { body: { rows: [] } }), 400, 'rows');
});

test('only an administrator of the project', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  for (const path of ['/invite/batch', '/invite/preflight']) {
    expectOutcome(await world.call('POST', path, { bearer: null, body: [] }), 401);
    expectOutcome(await world.call('POST', path, { bearer: other.owner.bearer, body: [] }), 403);
  }
});
