import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { forgetReviewed } from '#lib/domain/access-reviews/forget-reviewed.ts';
import { remindReviewers } from '#lib/domain/access-reviews/remind-reviewers.ts';
import { runClosings } from '#lib/domain/access-reviews/run-closings.ts';
import { handOverMembership } from '#lib/domain/account-merge/hand-over-membership.ts';
import { write } from '#lib/domain/audit/write.ts';
import { lockRow } from '#lib/domain/store/find-row.ts';
import { actorOfJob } from '#lib/http/server/bulk-worker.ts';
import { accessReview, accessReviewRow } from '#lib/infra/db/schema/access-review.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import type { ReviewRow } from '#lib/protocol/access-reviews/answers.ts';
import { verifyResult } from '#lib/protocol/access-reviews/verify-result.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { CTX, makeClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, signIn, type World } from '#lib/testing/world.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

let world: World;
let ward: string;
let narrow: string;

async function makePolicy(of: World, name: string, rules = [{ resourceType: 'Patient', readonly: true }]) {
  const made = await callApi(of.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', {
    body: { resourceType: 'AccessPolicy', name, resource: rules },
  });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}

beforeAll(async () => {
  world = await createWorld();
  ward = await makePolicy(world, 'Ward');
  narrow = await makePolicy(world, 'Narrow');
});

const asked = (fields: object = {}) => ({
  name: 'Autumn',
  dueAt: inDays(14),
  reviewers: [world.owner.membershipId],
  ...fields,
});

async function start(fields: object = {}): Promise<string> {
  const made = await world.call('POST', '/access-reviews', { body: asked(fields) });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** A further administrator who is signed in. */
async function administrator(of = world): Promise<{ id: string; bearer: string }> {
  const { id, user } = await of.invite({ membership: { admin: true } });
  return { id, bearer: await signIn(of.projectId, id, user.reference) };
}

function say(review: string, decisions: object[], bearer?: string) {
  return world.call('POST', `/access-reviews/${review}/decisions`, { body: { decisions }, bearer });
}

async function rowsOf(review: string, query = '?_count=200', bearer?: string): Promise<ReviewRow[]> {
  const { status, body, text } = await world.call('GET', `/access-reviews/${review}/rows${query}`, { bearer });
  expect(status, text).toBe(200);
  return body.rows;
}

const run = () => runClosings(CTX, actorOfJob);
const readOf = async (review: string) => (await world.call('GET', `/access-reviews/${review}`)).body;
const member = (id: string) => world.call('GET', `/members/${id}`);

/** Of these members alone: what else the tests make has other policies. */
async function reviewOf(policy: string): Promise<string> {
  return start({ policy });
}

describe('200', () => {
  test('what was decided is applied when it is closed, and the signed result says so and holds', async () => {
    const policy = await makePolicy(world, 'Of one review');
    const access = [
      { policy: { reference: policy }, parameter: [{ name: 'a', valueString: '1' }] },
      { policy: { reference: ward }, parameter: [{ name: 'b', valueString: '2' }] },
    ];
    const [kept, reduced, fewer, removed, left] = [
      await world.invite({ accessPolicy: { reference: policy } }),
      await world.invite({ accessPolicy: { reference: policy } }),
      await world.invite({ membership: { access } }),
      await world.invite({ accessPolicy: { reference: policy } }),
      await world.invite({ accessPolicy: { reference: policy } }),
    ];
    const review = await reviewOf(policy);
    expect(await readOf(review)).toMatchObject({ state: 'open', total: 5, decided: 0, mine: true, scope: { policy } });
    const before = await rowsOf(review);
    expect(before.find(({ membership }) => membership === fewer.id)?.now).toMatchObject({ access, version: 1 });
    const said = await say(review, [
      { membership: kept.id, decision: 'keep', note: 'Still on the ward' },
      { membership: reduced.id, decision: 'reduce', accessPolicy: narrow, version: 1 },
      { membership: fewer.id, decision: 'reduce', keepAccess: [1] },
      { membership: removed.id, decision: 'remove' },
    ]);
    expect(said.body).toEqual({ decided: 4 });
    expectOutcome(await world.call('POST', `/access-reviews/${review}/close`, { body: {} }), 409, 'leaveUndecided');
    const closed = await world.call('POST', `/access-reviews/${review}/close`, { body: { leaveUndecided: true } });
    expect([closed.status, closed.body.state]).toEqual([202, 'closing']);
    expectOutcome(await world.call('GET', `/access-reviews/${review}/result`), 409);
    await Promise.all([run(), run(), run()]);
    expect(await readOf(review)).toMatchObject({
      state: 'closed',
      applied: 4,
      failed: 0,
      closedBy: { display: 'Olga Owner' },
    });
    expect((await member(kept.id)).body).toMatchObject({ accessPolicy: { reference: policy } });
    expect((await member(reduced.id)).body).toMatchObject({ accessPolicy: { reference: narrow } });
    expect((await member(fewer.id)).body.access).toEqual([access[1]]);
    expect((await member(removed.id)).status).toBe(410);
    expect((await member(left.id)).body).toMatchObject({ accessPolicy: { reference: policy } });
    expect((await auditOf(world.projectId, `ProjectMembership/${removed.id}`)).slice(0, 2)).toEqual([
      'membership.delete',
      'access-review.decide',
    ]);

    const result = await world.call('GET', `/access-reviews/${review}/result`);
    const { keys } = (await callApi(undefined, 'GET', '/.well-known/audit-keys.json')).body;
    const counts = { kept: 1, reduced: 2, removed: 1, undecided: 1 };
    expect(await verifyResult(result.text, keys)).toMatchObject({
      holds: true,
      head: { rows: 5, counts, name: 'Autumn' },
    });
    expect(await verifyResult(result.text.replace('"keep"', '"drop"'), keys)).toMatchObject({ holds: false });
    expect(await verifyResult(`${result.text.split('\n').slice(0, -2).join('\n')}\n`, keys)).toMatchObject({
      holds: false,
    });
    expect(await verifyResult(result.text, [])).toMatchObject({ holds: false });
    expect(await verifyResult('x', keys)).toMatchObject({ holds: false });
    expect(result.text).not.toContain('Ann');
    await forgetReviewed(db(), world.projectId, [kept.id, removed.id]);
    const forgotten = (await rowsOf(review)).filter(({ who }) => who === 'An erased person');
    expect(forgotten.map(({ note }) => note)).toEqual([null, null]);
    expect((await world.call('GET', `/access-reviews/${review}/result`)).text).toBe(result.text);
    await db().update(accessReviewRow).set({ outcome: 'kept' }).where(eq(accessReviewRow.membershipId, left.id));
    const changed = await world.call('GET', `/access-reviews/${review}/result`);
    expect(await verifyResult(changed.text, keys)).toMatchObject({ holds: false });
  });

  test('who was changed after it was decided stays so, and who is gone is told as gone', async () => {
    const policy = await makePolicy(world, 'Changed meanwhile');
    const [changed, gone] = [
      await world.invite({ accessPolicy: { reference: policy } }),
      await world.invite({ accessPolicy: { reference: policy } }),
    ];
    const review = await reviewOf(policy);
    await say(review, [
      { membership: changed.id, decision: 'remove' },
      { membership: gone.id, decision: 'reduce', accessPolicy: narrow },
    ]);
    const op = { op: 'replace', path: '/accessPolicy', value: { reference: ward } };
    expect((await world.call('PATCH', `/members/${changed.id}`, { body: [op] })).status).toBe(200);
    expect((await world.call('DELETE', `/members/${gone.id}`)).status).toBe(200);
    await world.call('POST', `/access-reviews/${review}/close`, { body: {} });
    await run();
    expect((await member(changed.id)).body).toMatchObject({ accessPolicy: { reference: ward } });
    expect((await rowsOf(review)).map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'gone']);
    expect(await readOf(review)).toMatchObject({ applied: 1, failed: 1, decided: 2 });
  });

  test('neither the owner nor the last administrator is removed by a review: the row says why', async () => {
    const own = await createWorld();
    const other = await administrator(own);
    const body = { name: 'Own', dueAt: inDays(3), reviewers: [other.id] };
    const review = (await own.call('POST', '/access-reviews', { body })).body.id;
    const decisions = [{ membership: own.owner.membershipId, decision: 'remove' }];
    const said = await own.call('POST', `/access-reviews/${review}/decisions`, {
      body: { decisions },
      bearer: other.bearer,
    });
    expect(said.status, said.text).toBe(200);
    await own.call('POST', `/access-reviews/${review}/close`, { body: { leaveUndecided: true }, bearer: other.bearer });
    await run();
    const { rows } = (await own.call('GET', `/access-reviews/${review}/rows`)).body;
    expect(rows.find((row: ReviewRow) => row.own)).toMatchObject({
      outcome: 'failed',
      message: 'Cannot remove the owner of the project',
    });
  });

  test('what a closed review still has to do, it does not with rights that its closer has lost', async () => {
    const policy = await makePolicy(world, 'Lost rights');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const admin = await administrator();
    const review = await start({ policy, reviewers: [admin.id] });
    await say(review, [{ membership: someone.id, decision: 'remove' }], admin.bearer);
    const path = `/access-reviews/${review}/close`;
    expect((await world.call('POST', path, { body: {}, bearer: admin.bearer })).status).toBe(202);
    expect((await world.call('DELETE', `/members/${admin.id}`)).status).toBe(200);
    await run();
    expect(await rowsOf(review)).toMatchObject([{ outcome: 'failed', message: 'Who closed this may do so no longer' }]);
    expect((await member(someone.id)).status).toBe(200);
  });

  test('a later decision takes the place of an earlier one, and counts once', async () => {
    const policy = await makePolicy(world, 'Twice');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const review = await reviewOf(policy);
    await say(review, [{ membership: someone.id, decision: 'remove' }]);
    await Promise.all(Array.from({ length: 20 }, () => say(review, [{ membership: someone.id, decision: 'keep' }])));
    expect(await readOf(review)).toMatchObject({ decided: 1, total: 1 });
    expect(await rowsOf(review, '?decision=open')).toEqual([]);
    expect(await rowsOf(review, '?decision=keep')).toMatchObject([{ decidedBy: 'Olga Owner', own: false }]);
  });

  test('rows come a page at a time, and reviews, too', async () => {
    const review = await start();
    const { body: first } = await world.call('GET', `/access-reviews/${review}/rows?_count=2`);
    const { body: second } = await world.call('GET', `/access-reviews/${review}/rows?_count=200&cursor=${first.next}`);
    expect(first.rows).toHaveLength(2);
    expect(second.next).toBeNull();
    const { total } = await readOf(review);
    expect(new Set([...first.rows, ...second.rows].map(({ membership }) => membership)).size).toBe(total);
    await start();
    const page = (await world.call('GET', '/access-reviews?_count=1')).body;
    const next = (await world.call('GET', `/access-reviews?_count=1&cursor=${page.next}`)).body;
    expect(next.rows[0].id).toBe(review);
    for (const id of [review, page.rows[0].id]) await world.call('POST', `/access-reviews/${id}/cancel`);
  });

  test('one that is cancelled applies nothing, and is over', async () => {
    const policy = await makePolicy(world, 'Cancelled');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const review = await reviewOf(policy);
    await say(review, [{ membership: someone.id, decision: 'remove' }]);
    expect((await world.call('POST', `/access-reviews/${review}/cancel`)).body.state).toBe('cancelled');
    await run();
    expect((await member(someone.id)).status).toBe(200);
    for (const path of ['cancel', 'close'])
      expectOutcome(await world.call('POST', `/access-reviews/${review}/${path}`, { body: {} }), 409);
    expectOutcome(await say(review, [{ membership: someone.id, decision: 'keep' }]), 409);
  });

  test('its reviewers are asked, reminded three days before and when it is due, each once, however many processes look', async () => {
    const own = await createWorld();
    const body = { name: 'Mails', dueAt: inDays(10), reviewers: [own.owner.membershipId] };
    const review = (await own.call('POST', '/access-reviews', { body })).body.id;
    const told = async () => {
      const rows = await db().select({ template: mail.template }).from(mail).where(eq(mail.projectId, own.projectId));
      return rows.filter(({ template }) => template.startsWith('access-review')).map(({ template }) => template);
    };
    const look = () => Promise.all(Array.from({ length: 8 }, () => remindReviewers(CTX)));
    const past = (dueAt: string) => {
      const set = { dueAt: new Date(dueAt), remindAt: new Date(Date.now() - 1000) };
      return db().update(accessReview).set(set).where(eq(accessReview.id, review));
    };
    await look();
    expect(await told()).toEqual(['access-review-asked']);
    await past(inDays(2));
    await look();
    await look();
    expect(await told()).toHaveLength(2);
    await past(inDays(-1));
    await look();
    await look();
    expect(await told()).toHaveLength(3);
    const decisions = [{ membership: own.owner.membershipId, decision: 'keep' }];
    const said = await own.call('POST', `/access-reviews/${review}/decisions`, { body: { decisions } });
    expect(said.status).toBe(403);
  });

  test('who is limited by a policy sees of it what the list of members shows them, and closes it', async () => {
    const { id, user } = await world.invite({ membership: { admin: true, accessPolicy: { reference: narrow } } });
    const bearer = await signIn(world.projectId, id, user.reference);
    const policy = await makePolicy(world, 'Seen by a limited one');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const review = await start({ policy, reviewers: [id] });
    const rows = await rowsOf(review, '', bearer);
    const listed = await callApi(bearer, 'GET', `/fhir/R4/ProjectMembership?_id=${someone.id}`);
    expect(listed.body.entry).toHaveLength(1);
    expect(rows.map(({ membership }) => membership)).toEqual([someone.id]);
  });
});

describe('400', () => {
  test.each<[string, object, string]>([
    ['no name', { name: ' ' }, 'name'],
    ['a date that is past', { dueAt: '2020-01-01T00:00:00Z' }, 'dueAt'],
    ['a date far away', { dueAt: '2999-01-01T00:00:00Z' }, 'dueAt'],
    ['nobody who reviews', { reviewers: [] }, 'reviewers'],
    ['a reviewer who is nobody', { reviewers: [newId()] }, 'reviewers[0]'],
    ['a policy that is none', { policy: 'Patient/x' }, 'policy'],
    ['a policy that nobody has', { policy: 'AccessPolicy/x' }, 'policy'],
    ['a kind of record that nobody has', { profileType: 'RelatedPerson' }, 'profileType'],
    ['a kind that is none', { profileType: 'Observation' }, 'profileType'],
    ['what is not known', { all: true }, 'all'],
  ])('%s', async (_, fields, expression) => {
    expectOutcome(await world.call('POST', '/access-reviews', { body: asked(fields) }), 400, expression);
  });

  test('a reviewer is a person who administers the project: neither a member nor a program', async () => {
    const someone = await world.invite();
    const program = await makeClient(world.projectId, {}, { admin: true });
    const reviewers = [world.owner.membershipId, someone.id, program.membershipId];
    const answer = await world.call('POST', '/access-reviews', { body: asked({ reviewers }) });
    expect(answer.status).toBe(400);
    expect(answer.body.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual([
      'reviewers[1]',
      'reviewers[2]',
    ]);
  });

  test('a reduction leaves less than there was, and never nothing, which would be everything', async () => {
    const policy = await makePolicy(world, 'Reduced');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const review = await reviewOf(policy);
    const wrong: [object, string][] = [
      [{ decision: 'reduce', membership: someone.id }, 'decisions[0].decision'],
      [{ decision: 'reduce', membership: someone.id, accessPolicy: policy }, 'decisions[0].decision'],
      [{ decision: 'reduce', membership: someone.id, accessPolicy: null }, 'decisions[0].accessPolicy'],
      [{ decision: 'reduce', membership: someone.id, keepAccess: [0] }, 'decisions[0].keepAccess'],
      [
        { decision: 'reduce', membership: someone.id, accessPolicy: `AccessPolicy/${newId()}` },
        'decisions[0].accessPolicy',
      ],
      [{ decision: 'keep', membership: newId() }, 'decisions[0].membership'],
      [{ decision: 'keep', membership: someone.id, accessPolicy: narrow }, 'decisions[0].accessPolicy'],
      [{ decision: 'grant', membership: someone.id }, 'decisions[0].decision'],
    ];
    for (const [decision, expression] of wrong) expectOutcome(await say(review, [decision]), 400, expression);
    const twice = { decision: 'keep', membership: someone.id };
    expectOutcome(await say(review, [twice, { ...twice, membership: someone.id.toUpperCase() }]), 400, 'decisions');
    expectOutcome(
      await say(
        review,
        Array.from({ length: 101 }, () => ({ ...twice, membership: newId() })),
      ),
      400,
    );
    expect(await readOf(review)).toMatchObject({ decided: 0 });
    for (const query of ['?cursor=x', '?_count=0', '?decision=all', '?more=1'])
      expectOutcome(await world.call('GET', `/access-reviews/${review}/rows${query}`), 400);
  });
});

describe('403', () => {
  test('nobody decides about themselves, by whatever membership or in whose name', async () => {
    const admin = await administrator();
    const review = await start({ reviewers: [world.owner.membershipId, admin.id] });
    const self = { membership: world.owner.membershipId, decision: 'keep' };
    expectOutcome(await say(review, [self]), 403);
    const path = `/admin/projects/${world.projectId}/access-reviews/${review}/decisions`;
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${admin.id}` };
    const answer = await callApi(world.owner.bearer, 'POST', path, { body: { decisions: [self] }, headers });
    expect(answer.status).toBe(403);
    expect((await say(review, [self], admin.bearer)).status).toBe(200);
    await world.call('POST', `/access-reviews/${review}/cancel`);
  });

  test('nor about what is theirs only since the review began: accounts are merged', async () => {
    const other = await world.invite({ accessPolicy: { reference: ward } });
    const review = await start();
    const row = async () => (await rowsOf(review)).find(({ membership }) => membership === other.id);
    expect(await row()).toMatchObject({ own: false });
    await write(CTX, async (w) => {
      const current = await lockRow(w.tx, world.projectId, 'ProjectMembership', other.id);
      await handOverMembership(w, current!, { reference: `User/${world.owner.userId}` }, undefined);
    });
    expect(await row()).toMatchObject({ own: true });
    expectOutcome(await say(review, [{ membership: other.id, decision: 'keep' }]), 403);
    await world.call('POST', `/access-reviews/${review}/cancel`);
  });

  test('an administrator who is no reviewer of it looks on', async () => {
    const admin = await administrator();
    const policy = await makePolicy(world, 'Looked at');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const review = await reviewOf(policy);
    expectOutcome(await say(review, [{ membership: someone.id, decision: 'keep' }], admin.bearer), 403);
    expect(await rowsOf(review, '', admin.bearer)).toHaveLength(1);
    expect((await world.call('GET', `/access-reviews/${review}`, { bearer: admin.bearer })).body.mine).toBe(false);
    await world.call('POST', `/access-reviews/${review}/cancel`);
  });

  test('a member has nothing to do with reviews', async () => {
    const { id, user } = await world.invite();
    const bearer = await signIn(world.projectId, id, user.reference);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${newId()}/rows`],
      ['GET', `/${newId()}/result`],
    ] as const)
      expectOutcome(
        await world.call(method, `/access-reviews${path}`, { bearer, ...(method === 'POST' && { body: asked() }) }),
        403,
      );
  });

  test('what takes something away is closed with a proof that is not old', async () => {
    const policy = await makePolicy(world, 'Proof');
    const someone = await world.invite({ accessPolicy: { reference: policy } });
    const admin = await administrator();
    const review = await start({ policy, reviewers: [admin.id] });
    await say(review, [{ membership: someone.id, decision: 'remove' }], admin.bearer);
    await db()
      .update(login)
      .set({ authTime: new Date(Date.now() - DAY_MS) })
      .where(eq(login.membershipId, admin.id));
    const close = () => world.call('POST', `/access-reviews/${review}/close`, { body: {}, bearer: admin.bearer });
    expectOutcome(await close(), 403);
    expect((await readOf(review)).state).toBe('open');
    await say(review, [{ membership: someone.id, decision: 'keep' }], admin.bearer);
    expect((await close()).status).toBe(202);
    await run();
    expect((await readOf(review)).state).toBe('closed');
  });
});

test('404: what is not there, or is another project’s, is as unknown as nothing', async () => {
  const other = await createWorld();
  const body = { name: 'Theirs', dueAt: inDays(3), reviewers: [other.owner.membershipId] };
  const theirs = (await other.call('POST', '/access-reviews', { body })).body.id;
  for (const id of [theirs, newId(), 'x'])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/rows'],
      ['GET', '/result'],
      ['POST', '/close'],
      ['POST', '/cancel'],
    ] as const)
      expectOutcome(
        await world.call(method, `/access-reviews/${id}${path}`, method === 'POST' ? { body: {} } : {}),
        404,
      );
});

test('409: ten are open at most', async () => {
  const own = await createWorld();
  const body = { name: 'Many', dueAt: inDays(3), reviewers: [own.owner.membershipId] };
  const answers = await Promise.all(Array.from({ length: 14 }, () => own.call('POST', '/access-reviews', { body })));
  expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(10);
  expectOutcome(await own.call('POST', '/access-reviews', { body }), 409);
});

test('412: who saw another version of a membership decides about that, and not about this one', async () => {
  const policy = await makePolicy(world, 'Versions');
  const someone = await world.invite({ accessPolicy: { reference: policy } });
  const review = await reviewOf(policy);
  await world.call('PATCH', `/members/${someone.id}`, {
    body: [{ op: 'replace', path: '/accessPolicy', value: { reference: ward } }],
  });
  expectOutcome(await say(review, [{ membership: someone.id, decision: 'keep', version: 1 }]), 412);
  expect((await say(review, [{ membership: someone.id, decision: 'keep', version: 2 }])).status).toBe(200);
  await world.call('POST', `/access-reviews/${review}/cancel`);
});

test('each example of docs/access-policies.md answers as it says', async () => {
  const own = await createWorld();
  const page = readFileSync(join(import.meta.dirname, '../../../../../docs/access-policies.md'), 'utf8');
  const examples = [
    ...page.matchAll(/^```http (\d+)\n(\w+) \/admin\/projects\/\{project\}(\/access-reviews\S*)\n(.*?)^```/gms),
  ];
  expect(examples).toHaveLength(3);
  const admin = await administrator(own);
  const someone = await own.invite();
  const policy = await makePolicy(own, 'Archive');
  const said: Record<string, string> = { inTenDays: inDays(10), you: admin.id, member: someone.id, policy };
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => said[name] ?? whole);
  for (const [, status, method = '', path = '', body = ''] of examples) {
    const answer = await own.call(method, fill(path), { body: JSON.parse(fill(body)), bearer: admin.bearer });
    expect(answer.status, answer.text).toBe(Number(status));
    said.review ??= answer.body.id;
  }
  await run();
  expect((await own.call('GET', `/members/${someone.id}`)).body).toMatchObject({ accessPolicy: { reference: policy } });
});

test('of 10,000 members a page costs what it shows, and one request decides about a hundred', async () => {
  const own = await createWorld();
  const admin = await administrator(own);
  const body = { name: 'Many', dueAt: inDays(3), reviewers: [admin.id] };
  const review = (await own.call('POST', '/access-reviews', { body })).body.id;
  await db().execute(sql`
    insert into access_review_row (project_id, review_id, number, membership_id, who, user_ref, profile_ref)
    select ${own.projectId}::uuid, ${review}::uuid, n, gen_random_uuid(), 'Member ' || n, 'User/' || n, 'Practitioner/' || n from generate_series(10, 10000) n`);
  await db().update(accessReview).set({ total: sql`total + 9991` }).where(eq(accessReview.id, review));
  const at = async (cursor: number) =>
    (await own.call('GET', `/access-reviews/${review}/rows?_count=100&decision=open&cursor=${cursor}`)).body;
  const late = await at(9800);
  expect([late.rows.length, late.next]).toEqual([100, '9900']);
  const decisions = late.rows.map(({ membership }: ReviewRow) => ({ membership, decision: 'keep' }));
  const said = await own.call('POST', `/access-reviews/${review}/decisions`, {
    body: { decisions },
    bearer: admin.bearer,
  });
  expect(said.body).toEqual({ decided: 100 });
  expect((await at(9800)).rows[0].who).toBe('Member 9901');
  await own.call('POST', `/access-reviews/${review}/close`, { body: { leaveUndecided: true }, bearer: admin.bearer });
  await run();
  const result = await own.call('GET', `/access-reviews/${review}/result`);
  const { keys } = (await callApi(undefined, 'GET', '/.well-known/audit-keys.json')).body;
  expect(await verifyResult(result.text, keys)).toMatchObject({
    holds: true,
    head: { rows: 9994, counts: { kept: 100, undecided: 9894 } },
  });
});
