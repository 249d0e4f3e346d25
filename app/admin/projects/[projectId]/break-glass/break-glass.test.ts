import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { handOverMembership } from '#lib/domain/account-merge/hand-over-membership.ts';
import { write } from '#lib/domain/audit/write.ts';
import { endOverGrants } from '#lib/domain/break-glass/end-over.ts';
import { forgetGrants } from '#lib/domain/break-glass/grant-rows.ts';
import { over } from '#lib/domain/break-glass/over.ts';
import { lockRow } from '#lib/domain/store/find-row.ts';
import { dropMember } from '#lib/infra/db/drop/drop-person.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import {
  administrator,
  age,
  type GlassWorld,
  MINE,
  mailsOf,
  makeGlassWorld,
  nurse,
  opened,
  overdue,
  readPatients,
  smash,
  toSettings,
  WHY,
} from '#lib/testing/break-glass.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { CTX, changeMember, makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

let world: GlassWorld;
beforeAll(async () => {
  world = await makeGlassWorld();
});

const NOTE = { note: 'Looked at the records: all of one patient' };
const close = (id: string, bearer?: string, body: object = NOTE) =>
  world.call('POST', `/break-glass/${id}/close`, { body, bearer });
const endIt = (id: string, bearer?: string) => world.call('POST', `/break-glass/${id}/end`, { bearer });
const grant = async (id: string) => (await world.call('GET', `/break-glass/${id}`)).body;
const mine = async (bearer: string) => (await callApi(bearer, 'GET', MINE)).body;
const me = async (bearer: string) => (await callApi(bearer, 'GET', '/auth/me')).body.breakGlass;

describe('a member breaks the glass', () => {
  test('and has it at once in the open session, for an hour; everyone concerned is told; it waits for a review', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    const admin = await administrator(own);
    expect(await readPatients(who.bearer)).toBe(403);
    expect(await me(who.bearer)).toEqual({ may: true, minutes: 60 });
    expect(await mine(who.bearer)).toEqual({ may: true, minutes: 60, rows: [], next: null });
    const made = await smash(who);
    expect([made.status, made.body.state, made.body.reason], made.text).toEqual([201, 'open', WHY.reason]);
    const { id, openedAt, endsAt } = made.body;
    expect(Date.parse(endsAt) - Date.parse(openedAt)).toBe(3_600_000);
    expect(await readPatients(who.bearer)).toBe(200);
    expect(await me(who.bearer)).toEqual({ may: true, minutes: 60, open: { id, until: endsAt } });
    const { access } = (await own.call('GET', `/members/${who.id}`)).body;
    expect(access).toEqual([
      { id: `break-glass-${id}`, policy: { reference: own.emergency }, period: { end: endsAt } },
    ]);
    const told = await mailsOf(own);
    expect(told.map(({ template }) => template).sort()).toEqual([
      'glass-broken',
      'glass-broken-told',
      'glass-broken-told',
    ]);
    const overview = (await own.call('GET', '/overview', { bearer: admin.bearer })).body;
    expect(overview.findings).toContainEqual({
      ...{ kind: 'break-glass', target: `BreakGlass/${id}`, display: 'Ann Invited', fix: 'review' },
      text: 'Ann Invited has taken emergency access, which waits for a review',
    });
    const rows = (await own.call('GET', '/break-glass?state=open')).body.rows;
    expect(rows).toMatchObject([
      { id, membership: who.id, own: false, isMember: true, policy: { display: 'Emergency' } },
    ]);
    expect((await auditOf(own.projectId, `ProjectMembership/${who.id}`)).slice(0, 2).sort()).toEqual([
      'break-glass.open',
      'membership.update',
    ]);
  });

  test('and ends it; what they had before stays', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    const other = await nurse(world);
    expectOutcome(await callApi(other.bearer, 'POST', `${MINE}/${id}/end`), 404);
    const ended = await callApi(who.bearer, 'POST', `${MINE}/${id}/end`);
    expect([ended.status, ended.body.state, ended.body.endedBy]).toEqual([200, 'waiting', 'member']);
    expect(await readPatients(who.bearer)).toBe(403);
    expect((await callApi(who.bearer, 'GET', '/fhir/R4/Observation')).status).toBe(200);
    expectOutcome(await callApi(who.bearer, 'POST', `${MINE}/${id}/end`), 409);
    expect((await world.call('GET', `/members/${who.id}`)).body.access).toBeUndefined();
    expect(await me(who.bearer)).toEqual({ may: true, minutes: 60 });
  });

  test('and an administrator ends it', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    const ended = await endIt(id);
    expect([ended.status, ended.body.state, ended.body.endedBy]).toEqual([200, 'waiting', 'administrator']);
    expect(ended.body.endedByWhom.display).toBe('Olga Owner');
    expect(await readPatients(who.bearer)).toBe(403);
    expectOutcome(await endIt(id), 409);
  });

  test('of fifty at once one is opened, and one row, one mail to each', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    const answers = await Promise.all(Array.from({ length: 50 }, () => smash(who)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect((await mine(who.bearer)).rows).toHaveLength(1);
    expect(await mailsOf(own)).toHaveLength(2);
    expect((await own.call('GET', `/members/${who.id}`)).body.access).toHaveLength(1);
  });

  test('five times a day at most', async () => {
    const who = await nurse(world);
    for (let n = 0; n < 5; n += 1) await callApi(who.bearer, 'POST', `${MINE}/${await opened(who)}/end`);
    const sixth = await smash(who);
    expectOutcome(sixth, 429);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await mine(who.bearer)).rows).toHaveLength(5);
  });

  test('for as long as the setting says, which only shortens', async () => {
    const own = await makeGlassWorld(undefined, 15);
    const { body } = await smash(await nurse(own));
    expect(Date.parse(body.endsAt) - Date.parse(body.openedAt)).toBe(15 * 60_000);
    for (const minutes of [61, 4, 0]) {
      const body = toSettings(own.emergency, own.ward, minutes);
      expectOutcome(await own.call('POST', '/settings', { body }), 400);
    }
  });

  test.each<[string, object, string]>([
    ['no reason', {}, 'reason'],
    ['an empty one', { reason: '  ' }, 'reason'],
    ['a long one', { reason: 'x'.repeat(501) }, 'reason'],
    ['what is not known', { ...WHY, minutes: 600 }, 'minutes'],
  ])('400: %s', async (_, body, expression) => {
    expectOutcome(await smash(await nurse(world), body), 400, expression);
  });

  test('403: not without a proof of who they are', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    await age(own);
    const answer = await smash(who);
    expectOutcome(answer, 403);
    expect(answer.body.issue[0].details.coding[0].code).toBe('insufficient_user_authentication');
    expect(answer.headers.get('www-authenticate')).toContain(`realm="${env().BASE_URL}"`);
    expect(await readPatients(who.bearer)).toBe(403);
  });

  test('403: who has another policy, and where it is not set up; 409: whom nothing limits', async () => {
    const other = await administrator(world);
    expectOutcome(await smash(other), 403);
    const plain = await createWorld();
    expectOutcome(await smash(plain.owner), 403);
    expect(await me(other.bearer)).toBeUndefined();
    expect(await me(plain.owner.bearer)).toBeUndefined();
    expectOutcome(await callApi(undefined, 'POST', MINE, { body: WHY }), 401);
  });

  test('twenty grants of an hour are mailed to administrators; the member is told each time', async () => {
    const own = await makeGlassWorld();
    for (let n = 0; n < 5; n += 1) {
      const who = await nurse(own);
      for (let m = 0; m < 5; m += 1) await callApi(who.bearer, 'POST', `${MINE}/${await opened(who)}/end`);
    }
    const told = (await mailsOf(own)).map(({ template }) => template);
    expect(told.filter((template) => template === 'glass-broken')).toHaveLength(25);
    expect(told.filter((template) => template === 'glass-broken-told')).toHaveLength(20);
  });
});

describe('another administrator closes it', () => {
  test('with a note, once it has ended; and it is told on the overview no more', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    expectOutcome(await close(id), 409);
    await endIt(id);
    for (const body of [{}, { note: ' ' }, { note: 'x'.repeat(501) }])
      expectOutcome(await close(id, undefined, body), 400, 'note');
    const closed = await close(id);
    expect([closed.status, closed.body.state, closed.body.note], closed.text).toEqual([200, 'closed', NOTE.note]);
    expect(closed.body.closedBy.display).toBe('Olga Owner');
    expectOutcome(await close(id), 409);
    expect((await auditOf(world.projectId, `ProjectMembership/${who.id}`))[0]).toBe('break-glass.close');
    const { findings } = (await world.call('GET', '/overview')).body;
    expect(findings.map(({ target }: { target: string }) => target)).not.toContain(`BreakGlass/${id}`);
    expect((await mine(who.bearer)).rows[0]).not.toHaveProperty('note');
  });

  test('of many at once one does', async () => {
    const id = await opened(await nurse(world));
    await endIt(id);
    const admins = await Promise.all(Array.from({ length: 4 }, () => administrator(world)));
    const answers = await Promise.all(admins.map(({ bearer }) => close(id, bearer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test('not the one who broke it: neither in another’s name, nor by a second membership, nor after a merge, nor by a program', async () => {
    const who = await administrator(world, { accessPolicy: { reference: world.ward } });
    const id = await opened(who);
    expect((await endIt(id, who.bearer)).body).toMatchObject({ endedBy: 'member', own: true });
    expectOutcome(await close(id, who.bearer), 403);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` };
    const path = `/admin/projects/${world.projectId}/break-glass/${id}/close`;
    expectOutcome(await callApi(who.bearer, 'POST', path, { body: NOTE, headers }), 403);
    const { basic, membershipId } = await makeClient(world.projectId);
    await changeMember({ projectId: world.projectId, membershipId }, { admin: true });
    expectOutcome(await callApi(basic, 'POST', path, { body: NOTE }), 403);
    // Another account’s membership that has become theirs.
    const other = await nurse(world);
    const theirs = await opened(other);
    await endIt(theirs);
    await write(CTX, async (w) => {
      const current = await lockRow(w.tx, world.projectId, 'ProjectMembership', other.id);
      await handOverMembership(w, current!, { reference: who.user }, undefined);
    });
    expectOutcome(await close(theirs, who.bearer), 403);
    expect((await close(id)).status).toBe(200);
    expect((await close(theirs)).status).toBe(200);
  });

  test('403: a member has nothing to do with it; 404: another project’s, and none; 400: a wrong query', async () => {
    const who = await nurse(world);
    const theirs = await opened(await nurse(await makeGlassWorld()));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', `/${newId()}`],
      ['POST', `/${newId()}/end`],
      ['POST', `/${newId()}/close`],
    ] as const)
      expectOutcome(await world.call(method, `/break-glass${path}`, { bearer: who.bearer }), 403);
    for (const id of [theirs, newId(), 'x']) {
      expectOutcome(await world.call('GET', `/break-glass/${id}`), 404);
      expectOutcome(await endIt(id), 404);
      expectOutcome(await close(id), 404);
      expectOutcome(await callApi(who.bearer, 'POST', `${MINE}/${id}/end`), 404);
    }
    for (const query of ['?cursor=x', '?_count=0', '?state=all', '?more=1'])
      expectOutcome(await world.call('GET', `/break-glass${query}`), 400);
    const first = (await world.call('GET', '/break-glass?_count=1')).body;
    const second = (await world.call('GET', `/break-glass?_count=1&cursor=${first.next}`)).body;
    expect(second.rows[0].id).not.toBe(first.rows[0].id);
  });
});

describe('in time', () => {
  test('what is over is noted, once, its entry goes, and it waits for the review until somebody closes it', async () => {
    const who = await nurse(world);
    const id = await opened(who);
    await overdue(id);
    expect((await grant(id)).state).toBe('waiting');
    await Promise.all([endOverGrants(CTX), endOverGrants(CTX)]);
    expect(await grant(id)).toMatchObject({ state: 'waiting', endedBy: 'time' });
    expect((await world.call('GET', `/members/${who.id}`)).body.access).toBeUndefined();
    expect(
      (await auditOf(world.projectId, `ProjectMembership/${who.id}`)).filter((a) => a === 'break-glass.end'),
    ).toHaveLength(1);
    const restore = changeSettings({ RETAIN_AUDIT_DAYS: 1 });
    const old = new Date(Date.now() - 9 * 86_400_000);
    await db().update(breakGlass).set({ openedAt: old, endsAt: old, endedAt: old }).where(eq(breakGlass.id, id));
    await sweep(over());
    expect((await grant(id)).state).toBe('waiting');
    await close(id);
    await db().update(breakGlass).set({ closedAt: old }).where(eq(breakGlass.id, id));
    await sweep(over());
    restore();
    expectOutcome(await world.call('GET', `/break-glass/${id}`), 404);
  });

  test('a new one is opened when the time of the last is over, noted or not', async () => {
    const who = await nurse(world);
    await overdue(await opened(who));
    await opened(who);
    expect((await mine(who.bearer)).rows.map(({ state }: { state: string }) => state)).toEqual(['open', 'waiting']);
    expect((await world.call('GET', `/members/${who.id}`)).body.access).toHaveLength(1);
  });

  test('who leaves takes nothing along: it can be ended and reviewed, and an erasure leaves no words', async () => {
    const [gone, erased] = [await nurse(world), await nurse(world)];
    const [one, other] = [await opened(gone), await opened(erased)];
    expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
    expect(await grant(one)).toMatchObject({ isMember: false, state: 'open' });
    expect((await endIt(one)).body.state).toBe('waiting');
    expect((await close(one)).body.state).toBe('closed');
    await forgetGrants(db(), world.projectId, [gone.id]);
    expect(await grant(one)).toMatchObject({ reason: '', note: '' });
    const whose = { userId: erased.user.slice('User/'.length), emails: [], memberships: [erased.id] };
    await dropMember(db(), world.projectId, whose);
    expect(await grant(other)).toMatchObject({ reason: '' });
    const admin = await administrator(world);
    await endIt(other);
    await close(other, admin.bearer);
    await dropMember(db(), world.projectId, { userId: admin.user.slice(5), emails: [], memberships: [admin.id] });
    expect(await grant(other)).toMatchObject({ note: '', closedBy: { display: 'An erased person' } });
  });

  test('one that cannot be ended holds up none behind it', async () => {
    const [own, other] = [await nurse(world), await nurse(world)];
    const [stuck, next] = [await opened(own), await opened(other)];
    for (const id of [stuck, next]) await overdue(id);
    await db().execute(sql`update break_glass set ends_at = ends_at - interval '1 minute' where id = ${stuck}`);
    const rename = (from: string, to: string) =>
      db().execute(sql`update resource set content = replace(content::text, ${from}, ${to})::jsonb
        where project_id = ${world.projectId} and id = ${own.id}`);
    await rename('"user":', '"usar":');
    await endOverGrants(CTX);
    expect((await grant(next)).endedBy).toBe('time');
    await rename('"usar":', '"user":');
    await endOverGrants(CTX);
    expect((await grant(stuck)).endedBy).toBe('time');
  });

  test('of a project that was closed nobody has anything, and what was open is over by itself', async () => {
    const own = await makeGlassWorld();
    const who = await nurse(own);
    const id = await opened(who);
    expect((await own.call('POST', '/close', { body: { name: 'Test project' } })).status).toBe(200);
    expect(await readPatients(who.bearer)).toBe(401);
    await overdue(id);
    await endOverGrants(CTX);
    const [row] = await db()
      .select()
      .from(breakGlass)
      .where(and(eq(breakGlass.projectId, own.projectId), eq(breakGlass.id, id)));
    expect(row).toMatchObject({ endedBy: 'time', closedAt: null });
  });
});

test('each example of docs/access-policies.md answers as it says', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/access-policies.md'), 'utf8');
  const [, section = ''] = page.split('\n## Emergency access\n');
  const examples = [...section.matchAll(/^```http (\d+)\n(\w+) (\S*\/(?:break-glass|settings)\S*)\n(.*?)^```/gms)];
  expect(examples).toHaveLength(3);
  const own = await makeGlassWorld();
  const who = await nurse(own);
  const said: Record<string, string> = { project: own.projectId, emergency: own.emergency, ward: own.ward };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => said[name] ?? whole);
  for (const [, status, method = '', path = '', body = ''] of examples) {
    const bearer = path.startsWith('/auth') ? who.bearer : own.owner.bearer;
    if (said.grant) await own.call('POST', `/break-glass/${said.grant}/end`);
    const answer = await callApi(bearer, method, fill(path), { body: JSON.parse(fill(body)) });
    expect(answer.status, answer.text).toBe(Number(status));
    if (path.startsWith('/auth')) said.grant = answer.body.id;
  }
});
