import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { askAccess } from '#lib/domain/access-requests/ask-access.ts';
import { endRequests } from '#lib/domain/access-requests/end-requests.ts';
import { forgetRequests } from '#lib/domain/access-requests/forget-requests.ts';
import { handOverMembership } from '#lib/domain/account-merge/hand-over-membership.ts';
import { write } from '#lib/domain/audit/write.ts';
import { actorOfLogin } from '#lib/domain/sessions/actor-of-login.ts';
import { lockRow } from '#lib/domain/store/find-row.ts';
import { dropMember } from '#lib/infra/db/drop/drop-person.ts';
import { accessRefusal } from '#lib/infra/db/schema/access-refusal.ts';
import { accessRequest } from '#lib/infra/db/schema/access-request.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { type Answer, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { CTX, makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const DAY_MS = 86_400_000;
const MINE = '/auth/me/access-requests';
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

type Member = { id: string; bearer: string; user: string };

let world: World;
let ward: string;
let wide: string;

async function makePolicy(of: World, name: string, resource: object[], more: object = {}): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name, resource, ...more };
  const made = await callApi(of.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}

beforeAll(async () => {
  world = await createWorld();
  ward = await makePolicy(world, 'Ward', [{ resourceType: 'Observation', readonly: true }]);
  wide = await makePolicy(world, 'Wide', [{ resourceType: 'Patient', readonly: true }]);
});

/** Who may read Observations, and is signed in. */
async function member(of = world, fields: object = {}): Promise<Member> {
  const policy = of === world ? ward : await makePolicy(of, 'Ward', [{ resourceType: 'Observation', readonly: true }]);
  const { id, user } = await of.invite({ accessPolicy: { reference: policy }, ...fields });
  return { id, user: user.reference, bearer: await signIn(of.projectId, id, user.reference) };
}

async function administrator(of = world, fields: object = {}): Promise<Member> {
  const { id, user } = await of.invite({ membership: { admin: true, ...fields } });
  return { id, user: user.reference, bearer: await signIn(of.projectId, id, user.reference) };
}

const PATIENT = { resourceType: 'Patient', interaction: 'read', reason: 'On call this week' };
const ask = (who: Member, fields: object = PATIENT) => callApi(who.bearer, 'POST', MINE, { body: fields });
const mine = async (who: Member) => (await callApi(who.bearer, 'GET', MINE)).body.rows;

async function asked(who: Member, fields: object = PATIENT): Promise<string> {
  const made = await ask(who, fields);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const grant = (id: string, fields: object = {}, bearer?: string): Promise<Answer> =>
  world.call('POST', `/access-requests/${id}/grant`, { body: { policy: wide, until: inDays(2), ...fields }, bearer });
const refuse = (id: string, bearer?: string) =>
  world.call('POST', `/access-requests/${id}/refuse`, { body: { answer: 'Ask your ward' }, bearer });

const readPatients = async (who: Member) => (await callApi(who.bearer, 'GET', '/fhir/R4/Patient')).status;
/** What was told about requests, by template and recipient. */
async function told(of: World): Promise<string[]> {
  const rows = await db().select().from(mail).where(eq(mail.projectId, of.projectId));
  return rows
    .filter(({ template }) => /^access-(requested|granted|refused|lapsed|ended)/.test(template))
    .map((row) => row.template);
}
/** The id of a refusal that is the member's own. */
async function refused(who: Member): Promise<string> {
  const answer = await callApi(who.bearer, 'GET', '/fhir/R4/Patient');
  expect(answer.status).toBe(403);
  return answer.headers.get('x-gatehouse-decision')!;
}
const pastDue = (id: string) =>
  db()
    .update(accessRequest)
    .set({ dueAt: new Date(Date.now() - 1000) })
    .where(and(eq(accessRequest.projectId, world.projectId), eq(accessRequest.id, id)));

describe('a member asks', () => {
  test('for what they were refused, by its id, and administrators are told; what is granted counts at once and until its end', async () => {
    const who = await member();
    const decision = await refused(who);
    const made = await ask(who, { decision, reason: 'On call this week' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ resourceType: 'Patient', interaction: 'search', decision, state: 'open', until: null }),
    ]);
    const { id } = made.body;
    const listed = (await world.call('GET', '/access-requests?state=open&_count=1')).body.rows[0];
    expect(listed).toMatchObject({
      id,
      membership: who.id,
      isMember: true,
      own: false,
      member: { display: 'Ann Invited' },
    });
    const { findings } = (await world.call('GET', '/overview')).body;
    expect(findings).toContainEqual({
      ...{ kind: 'access-request', target: `AccessRequest/${id}`, display: 'Ann Invited', fix: 'answer' },
      text: 'Ann Invited asks for access, and waits for an answer',
    });
    const until = inDays(2);
    const granted = await grant(id, { until, answer: 'Until Friday' });
    expect([granted.status, granted.body.state], granted.text).toEqual([200, 'granted']);
    expect(granted.body).toMatchObject({
      policy: { reference: wide, display: 'Wide' },
      decidedBy: { display: 'Olga Owner' },
    });
    expect(await readPatients(who)).toBe(200);
    const now = (await world.call('GET', `/members/${who.id}`)).body;
    expect(now.access).toEqual([{ policy: { reference: wide }, period: { end: until } }]);
    expect((await mine(who))[0]).toMatchObject({ id, state: 'granted', until, answer: 'Until Friday' });
    expect((await mine(who))[0]).not.toHaveProperty('policy');
    const [one, other, before] = await auditOf(world.projectId, `ProjectMembership/${who.id}`);
    // Of one transaction, and maybe of one millisecond.
    expect([one, other].toSorted()).toEqual(['access-request.grant', 'membership.update']);
    expect(before).toBe('access-request.ask');
    expect(await told(world)).toEqual(expect.arrayContaining(['access-requested', 'access-granted']));
  });

  test('what is refused is told with its answer, and gives nothing', async () => {
    const who = await member();
    const id = await asked(who);
    const answer = await refuse(id);
    expect([answer.status, answer.body.state]).toEqual([200, 'refused']);
    expect((await mine(who))[0]).toMatchObject({ state: 'refused', answer: 'Ask your ward', until: null });
    expect(await readPatients(who)).toBe(403);
    expect(await asked(who)).not.toBe(id);
  });

  test('and withdraws it: nobody decides about it any more', async () => {
    const who = await member();
    const id = await asked(who);
    const other = await member();
    expectOutcome(await callApi(other.bearer, 'POST', `${MINE}/${id}/withdraw`), 404);
    const withdrawn = await callApi(who.bearer, 'POST', `${MINE}/${id}/withdraw`);
    expect([withdrawn.status, withdrawn.body.state]).toEqual([200, 'withdrawn']);
    expectOutcome(await callApi(who.bearer, 'POST', `${MINE}/${id}/withdraw`), 409);
    expectOutcome(await grant(id), 409);
    expectOutcome(await refuse(id), 409);
  });

  test('10,000 times the same: one request, and one mail', async () => {
    const own = await createWorld();
    const who = await member(own);
    const [session] = await db().select().from(login).where(eq(login.membershipId, who.id));
    const actor = await actorOfLogin({ projectId: own.projectId, id: session!.id });
    const once = () => askAccess({ ...CTX, actor }, PATIENT as Parameters<typeof askAccess>[1]);
    const ids = new Set<string>();
    let made = 0;
    for (let n = 0; n < 10_000; n += 50) {
      for (const { request, isNew } of await Promise.all(Array.from({ length: 50 }, once))) {
        ids.add(request.id);
        if (isNew) made += 1;
      }
    }
    expect([ids.size, made]).toEqual([1, 1]);
    expect(await mine(who)).toHaveLength(1);
    expect(await told(own)).toEqual(['access-requested']);
    expect((await ask(who)).status).toBe(200);
  }, 120_000);

  test('five are open at most, twenty are asked a day, and ten mails an hour go out', async () => {
    const own = await createWorld();
    const who = await member(own);
    const types = ['Patient', 'Encounter', 'Condition', 'Procedure', 'Task', 'Goal', 'Flag'];
    const answers = await Promise.all(types.map((resourceType) => ask(who, { ...PATIENT, resourceType })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409, 409]);
    let last = 0;
    for (let n = 0; n < 20 && last !== 429; n += 1) {
      const [{ id }] = await mine(who);
      await callApi(who.bearer, 'POST', `${MINE}/${id}/withdraw`);
      last = (await ask(who, { ...PATIENT, resourceType: 'Device' })).status;
    }
    expect(last).toBe(429);
    expect(await mine(who)).toHaveLength(20);
    expect(await told(own)).toHaveLength(10);
  });

  test('ten mails an hour go out, however many ask at once', async () => {
    const own = await createWorld();
    const many = [];
    for (let n = 0; n < 16; n += 1) many.push(await member(own));
    const answers = await Promise.all(many.map((who) => ask(who)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await told(own)).toHaveLength(10);
  });

  test.each<[string, object, string]>([
    ['nothing', { reason: 'x' }, 'decision'],
    ['no reason', { ...PATIENT, reason: ' ' }, 'reason'],
    ['a long reason', { ...PATIENT, reason: 'x'.repeat(501) }, 'reason'],
    ['no type', { interaction: 'read', reason: 'x' }, 'resourceType'],
    ['what is no type', { ...PATIENT, resourceType: 'Nothing' }, 'resourceType'],
    ['no interaction', { resourceType: 'Patient', reason: 'x' }, 'interaction'],
    ['an unknown interaction', { ...PATIENT, interaction: 'all' }, 'interaction'],
    ['both', { ...PATIENT, decision: newId() }, 'decision'],
    ['what no policy opens', { ...PATIENT, resourceType: 'ProjectMembership' }, 'resourceType'],
    ['what is not known', { ...PATIENT, policy: 'AccessPolicy/x' }, 'policy'],
  ])('400: %s', async (_, body, expression) => {
    expectOutcome(await ask(await member(), body), 400, expression);
  });

  test('404: another’s refusal, another project’s, one that is over and none are alike', async () => {
    const who = await member();
    const [other, elsewhere] = [await member(), await member(await createWorld())];
    const old = await refused(who);
    const ids = [await refused(other), await refused(elsewhere), newId(), old];
    expect((await ask(who, { decision: old, reason: 'x' })).status).toBe(201);
    await db()
      .update(accessRefusal)
      .set({ at: new Date(Date.now() - 8 * DAY_MS) })
      .where(and(eq(accessRefusal.projectId, world.projectId), eq(accessRefusal.id, old)));
    const texts = await Promise.all(ids.map((decision) => ask(who, { decision, reason: 'x' })));
    for (const answer of texts) expectOutcome(answer, 404);
    expect(new Set(texts.map(({ text }) => text)).size).toBe(1);
  });

  test('409: whom no policy limits would have by a first one less than before', async () => {
    const who = await member();
    const waits = await asked(who);
    const body = [{ op: 'remove', path: '/accessPolicy' }];
    expect((await world.call('PATCH', `/members/${who.id}`, { body })).status).toBe(200);
    expectOutcome(await ask(who, { ...PATIENT, resourceType: 'AuditEvent' }), 409);
    expectOutcome(await grant(waits), 409);
  });

  test('403: programs do not ask, nor does anybody in another’s name get what is theirs', async () => {
    const { basic } = await makeClient(world.projectId);
    expectOutcome(await callApi(basic, 'POST', MINE, { body: PATIENT }), 403);
    expectOutcome(await callApi(undefined, 'POST', MINE, { body: PATIENT }), 401);
    const who = await member();
    await asked(who);
    const admin = await administrator(world, { accessPolicy: { reference: ward } });
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${who.id}` };
    expect((await callApi(admin.bearer, 'GET', MINE, { headers })).body.rows).toEqual([]);
  });
});

describe('an administrator decides', () => {
  test('of many at once one wins, and the others are told that it is decided', async () => {
    const who = await member();
    const id = await asked(who);
    const admins = await Promise.all(Array.from({ length: 4 }, () => administrator()));
    const answers = await Promise.all([...admins.map(({ bearer }) => grant(id, {}, bearer)), refuse(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const { access = [] } = (await world.call('GET', `/members/${who.id}`)).body;
    expect(access.length).toBe((await mine(who))[0].state === 'granted' ? 1 : 0);
  });

  test('not about what they asked for themselves, in their own name or another’s, nor by a merge', async () => {
    const admin = await administrator(world, { accessPolicy: { reference: ward } });
    const id = await asked(admin);
    expect((await world.call('GET', `/access-requests/${id}`, { bearer: admin.bearer })).body.own).toBe(true);
    expectOutcome(await grant(id, {}, admin.bearer), 403);
    expectOutcome(await refuse(id, admin.bearer), 403);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
    const path = `/admin/projects/${world.projectId}/access-requests/${id}/grant`;
    const body = { policy: wide, until: inDays(1) };
    expect((await callApi(admin.bearer, 'POST', path, { body, headers })).status).toBe(403);
    const who = await member();
    const theirs = await asked(who);
    await write(CTX, async (w) => {
      const current = await lockRow(w.tx, world.projectId, 'ProjectMembership', who.id);
      await handOverMembership(w, current!, { reference: `User/${world.owner.userId}` }, undefined);
    });
    expectOutcome(await grant(theirs), 403);
    expect((await grant(id)).status).toBe(200);
  });

  test('who is limited by a policy gives what they may do themselves, and no more', async () => {
    const limit = await makePolicy(world, 'Limit', [
      { resourceType: 'Patient', readonly: true, criteria: 'Patient?gender=female' },
      { resourceType: 'Encounter' },
    ]);
    const admin = await administrator(world, { accessPolicy: { reference: limit } });
    const within = await makePolicy(world, 'Within', [
      { resourceType: 'Patient', interaction: ['read'], criteria: 'Patient?gender=female' },
      { resourceType: 'Encounter', readonly: true, criteria: 'Encounter?status=finished' },
    ]);
    const whole = await makePolicy(world, 'Whole', [{ resourceType: '*' }]);
    const writes = await makePolicy(world, 'Writes', [{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const id = await asked(await member());
    for (const policy of [wide, whole, writes, ward]) {
      expectOutcome(await grant(id, { policy }, admin.bearer), 403, 'policy');
    }
    const ipAccessRule = [{ value: '*', action: 'allow' }];
    const placed = await makePolicy(world, 'From anywhere', [{ resourceType: 'Encounter', readonly: true }], {
      ipAccessRule,
    });
    const basedOn = [{ reference: whole }];
    const upon = await makePolicy(world, 'Upon', [{ resourceType: 'Encounter', readonly: true }], { basedOn });
    const compartment = { reference: 'Organization/elsewhere' };
    const elsewhere = await makePolicy(world, 'Elsewhere', [{ resourceType: 'Encounter' }], { compartment });
    for (const policy of [placed, upon, elsewhere])
      expectOutcome(await grant(id, { policy }, admin.bearer), 403, 'policy');
    const granted = await grant(id, { policy: within }, admin.bearer);
    expect(granted.status, granted.text).toBe(200);
  });

  test('nor what is hidden from them, by a rule that says less of it than theirs', async () => {
    const limit = await makePolicy(world, 'No names', [
      { resourceType: 'Patient', hiddenFields: ['name'], readonlyFields: ['gender'] },
      { resourceType: '*' },
    ]);
    const admin = await administrator(world, { accessPolicy: { reference: limit } });
    const whole = await makePolicy(world, 'Whole', [{ resourceType: '*' }]);
    const kept = await makePolicy(world, 'Half', [{ resourceType: 'Patient', hiddenFields: ['name'] }]);
    const within = await makePolicy(world, 'Nameless', [
      { resourceType: 'Patient', hiddenFields: ['name', 'gender'] },
      { resourceType: 'Encounter' },
    ]);
    const id = await asked(await member());
    for (const policy of [whole, wide, kept]) expectOutcome(await grant(id, { policy }, admin.bearer), 403, 'policy');
    const granted = await grant(id, { policy: within }, admin.bearer);
    expect(granted.status, granted.text).toBe(200);
  });

  test('values of a policy are given with it', async () => {
    const own = await makePolicy(world, 'Of one', [{ resourceType: 'Patient', criteria: 'Patient?_id=%one' }]);
    const patients = await Promise.all(
      [1, 2].map(() => callApi(world.owner.bearer, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } })),
    );
    const [seen, other] = patients.map(({ body }) => body.id);
    const who = await member();
    const id = await asked(who);
    const parameter = [{ name: 'one', valueString: seen }];
    const granted = await grant(id, { policy: own, parameter });
    expect(granted.body.parameter, granted.text).toEqual(parameter);
    expect((await callApi(who.bearer, 'GET', `/fhir/R4/Patient/${seen}`)).status).toBe(200);
    expect((await callApi(who.bearer, 'GET', `/fhir/R4/Patient/${other}`)).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ['a policy that is not there', { policy: `AccessPolicy/${newId()}` }, 'policy'],
    ['what is no policy', { policy: 'Patient/x' }, 'policy'],
    ['no end', { until: undefined }, 'until'],
    ['an end that is past', { until: '2020-01-01T00:00:00Z' }, 'until'],
    ['an end far away', { until: '2999-01-01T00:00:00Z' }, 'until'],
    ['a parameter without a value', { parameter: [{ name: 'x' }] }, 'parameter[0]'],
    ['an empty answer', { answer: '' }, 'answer'],
    ['what is not known', { admin: true }, 'admin'],
  ])('400: %s', async (_, fields, expression) => {
    const id = await asked(await member());
    expectOutcome(await grant(id, fields), 400, expression);
    expect((await world.call('GET', `/access-requests/${id}`)).body.state).toBe('open');
  });

  test('400: another project’s policy is as unknown as none', async () => {
    const other = await createWorld();
    const theirs = await makePolicy(other, 'Theirs', [{ resourceType: 'Patient' }]);
    expectOutcome(await grant(await asked(await member()), { policy: theirs }), 400, 'policy');
  });

  test('403: a member has nothing to do with the list; 404: another project’s request, and none', async () => {
    const who = await member();
    const other = await createWorld();
    const theirs = await asked(await member(other));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${newId()}`],
      ['POST', `/${newId()}/grant`],
      ['POST', `/${newId()}/refuse`],
    ] as const)
      expectOutcome(await world.call(method, `/access-requests${path}`, { bearer: who.bearer }), 403);
    for (const id of [theirs, newId(), 'x']) {
      expectOutcome(await world.call('GET', `/access-requests/${id}`), 404);
      expectOutcome(await grant(id), 404);
      expectOutcome(await refuse(id), 404);
    }
    for (const query of ['?cursor=x', '?_count=0', '?state=all', '?more=1'])
      expectOutcome(await world.call('GET', `/access-requests${query}`), 400);
  });

  test('who left in the meantime gets nothing, and their request is closed by itself', async () => {
    const [gone, left, stopped] = [await member(), await member(), await member()];
    const ids = [await asked(gone), await asked(left), await asked(stopped)] as const;
    expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
    expect((await world.call('DELETE', `/members/${left.id}`)).status).toBe(200);
    const off = { body: [{ op: 'add', path: '/active', value: false }] };
    expect((await world.call('PATCH', `/members/${stopped.id}`, off)).status).toBe(200);
    for (const id of [ids[0], ids[2]]) expectOutcome(await grant(id), 409);
    expect((await world.call('GET', `/access-requests/${ids[0]}`)).body.isMember).toBe(false);
    expect((await refuse(ids[0])).status).toBe(200);
    await endRequests(CTX);
    const states = await Promise.all(
      ids.map(async (id) => (await world.call('GET', `/access-requests/${id}`)).body.state),
    );
    expect(states).toEqual(['refused', 'lapsed', 'open']);
    await forgetRequests(db(), world.projectId, [gone.id]);
    expect((await world.call('GET', `/access-requests/${ids[0]}`)).body).toMatchObject({ reason: '', answer: null });
    const whose = { userId: left.user.slice('User/'.length), emails: [], memberships: [left.id] };
    await dropMember(db(), world.projectId, whose);
    expect((await world.call('GET', `/access-requests/${ids[1]}`)).body).toMatchObject({ reason: '', answer: null });
    expect((await world.call('GET', `/access-requests/${ids[2]}`)).body.reason).not.toBe('');
  });
});

test('who decided is named no more once they are erased, nor are their words told', async () => {
  const who = await member();
  const admin = await administrator();
  const id = await asked(who);
  expect((await refuse(id, admin.bearer)).status).toBe(200);
  const whose = { userId: admin.user.slice('User/'.length), emails: [], memberships: [admin.id] };
  await dropMember(db(), world.projectId, whose);
  const told = (await world.call('GET', `/access-requests/${id}`)).body;
  expect(told).toMatchObject({ state: 'refused', answer: null, decidedBy: { display: 'An erased person' } });
  expect((await mine(who))[0].answer).toBeNull();
});

describe('what was given ends', () => {
  const look = () => Promise.all(Array.from({ length: 8 }, () => endRequests(CTX)));

  test('by itself at its moment, and both are told once, however many processes look', async () => {
    const own = await createWorld();
    const who = await member(own);
    const policy = await makePolicy(own, 'Wide', [{ resourceType: 'Patient', readonly: true }]);
    const id = await asked(who);
    const until = new Date(Date.now() + 3000).toISOString();
    const path = `/access-requests/${id}/grant`;
    const granted = await own.call('POST', path, { body: { policy, until } });
    expect(granted.status, granted.text).toBe(200);
    expect(await readPatients(who)).toBe(200);
    await look();
    expect((await told(own)).sort()).toEqual(['access-granted', 'access-requested']);
    await expect.poll(() => readPatients(who), { timeout: 10_000 }).toBe(403);
    await look();
    await look();
    expect((await told(own)).sort()).toEqual([
      ...['access-ended', 'access-ended-told'],
      ...['access-granted', 'access-requested'],
    ]);
    expect((await mine(who))[0]).toMatchObject({ state: 'ended', until });
    expect((await auditOf(own.projectId, `ProjectMembership/${who.id}`))[0]).toBe('access-request.end');
  });

  test('nobody is told of what was taken away before', async () => {
    const who = await member();
    const id = await asked(who);
    await grant(id);
    const off = { body: [{ op: 'remove', path: '/access' }] };
    expect((await world.call('PATCH', `/members/${who.id}`, off)).status).toBe(200);
    const before = (await told(world)).length;
    await pastDue(id);
    await look();
    expect((await mine(who))[0].state).toBe('ended');
    expect(await told(world)).toHaveLength(before);
  });

  test('what nobody answered lapses, once, and who asked is told', async () => {
    const who = await member();
    const id = await asked(who);
    await pastDue(id);
    await look();
    await look();
    expect((await mine(who))[0].state).toBe('lapsed');
    const rows = await db().select().from(mail).where(eq(mail.membershipId, who.id));
    expect(rows.filter(({ template }) => template === 'access-lapsed')).toHaveLength(1);
    expect((await ask(who)).status).toBe(201);
  });

  test('of a project that was closed nobody is told', async () => {
    const own = await createWorld();
    const who = await member(own);
    const id = await asked(who);
    const closed = await own.call('POST', '/close', { body: { name: 'Test project' } });
    expect(closed.status, closed.text).toBe(200);
    await db()
      .update(accessRequest)
      .set({ dueAt: new Date(Date.now() - 1000) })
      .where(and(eq(accessRequest.projectId, own.projectId), eq(accessRequest.id, id)));
    await look();
    expect(await told(own)).toEqual(['access-requested']);
    expect((await ask(who)).status).toBe(401);
  });
});

test('each example of docs/access-policies.md answers as it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/access-policies.md'), 'utf8');
  const examples = [...page.matchAll(/^```http (\d+)\n(\w+) (\S*\/access-requests\S*)\n(.*?)^```/gms)];
  expect(examples).toHaveLength(2);
  const who = await member();
  const said: Record<string, string> = { inTenDays: inDays(10), project: world.projectId, policy: wide };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => said[name] ?? whole);
  for (const [, status, method = '', path = '', body = ''] of examples) {
    const bearer = path.startsWith('/auth') ? who.bearer : world.owner.bearer;
    const answer = await callApi(bearer, method, fill(path), { body: JSON.parse(fill(body)) });
    expect(answer.status, answer.text).toBe(Number(status));
    said.request ??= answer.body.id;
  }
  expect(await readPatients(who)).toBe(200);
});
