import { and, eq, lte, sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { forgetMembers } from '#lib/domain/bulk-jobs/forget-members.ts';
import { LANES } from '#lib/domain/bulk-jobs/rows.ts';
import { runBulkJob } from '#lib/domain/bulk-jobs/run-bulk-job.ts';
import { actorOfJob } from '#lib/http/server/bulk-worker.ts';
import { closeDb, transaction } from '#lib/infra/db/client.ts';
import { isStarved } from '#lib/infra/db/errors.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { auditEvent, bulkJobRow, mail } from '#lib/infra/db/schema/operations.ts';
import { invites, readJob, startJob } from '#lib/testing/bulk-jobs.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { anEmail, createSuperAdmin, createWorld, invitation, signIn, type World } from '#lib/testing/world.ts';

const WAIT = { timeout: 20_000, interval: 1 };

function run(world: World, jobId: string): Promise<void> {
  return runBulkJob(world.projectId, jobId, actorOfJob, new AbortController().signal);
}

/** As `actorOfJob`; does `then` at this turn of a lane, while what was begun before goes on and nothing else begins. */
function atTurn(number: number, then: () => Promise<unknown>): typeof actorOfJob {
  let begun = 0;
  let doing: Promise<unknown> | undefined;
  return async (job) => {
    begun += 1;
    if (begun === number) doing = then();
    await doing;
    return actorOfJob(job);
  };
}

async function resultOf(world: World, jobId: string): Promise<string[]> {
  const { status, text, headers } = await world.call('GET', `/jobs/${jobId}/result`);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  return text.trim().split('\r\n');
}

test('a job invites row by row through the same verb; what one row is refused leaves the others alone', async () => {
  const world = await createWorld();
  const member = await world.invite();
  const rows = [
    ...invites(2),
    invitation({ email: member.user.display }),
    invitation({ firstName: '=HYPERLINK("x")' }),
  ];
  const jobId = await startJob(world, { kind: 'invite', rows });
  expect(await readJob(world, jobId)).toMatchObject({
    kind: 'invite',
    state: 'queued',
    total: 4,
    done: 0,
    failed: 0,
    startedAt: null,
  });
  await run(world, jobId);
  const job = await readJob(world, jobId);
  expect(job).toMatchObject({ state: 'done', total: 4, done: 3, failed: 1, startedBy: { display: 'Olga Owner' } });
  expect(job.finishedAt).not.toBeNull();
  const [header, first, , third, fourth] = await resultOf(world, jobId);
  expect(header).toBe('row,who,outcome,membership,field,message');
  expect(first).toMatch(/^1,Ann Bulk0 <.+>,created,[0-9a-f-]{36},,$/);
  expect(third).toMatch(/,failed,,email,User is already a member of this project$/);
  expect(fourth).toMatch(/^4,"'=HYPERLINK\(""x""\) /);
  const kept = await db().select().from(bulkJobRow).where(eq(bulkJobRow.jobId, jobId));
  expect(kept.every((row) => row.inputSealed === null)).toBe(true);
  const events = await db().select().from(auditEvent).where(eq(auditEvent.projectId, world.projectId));
  const created = events.filter(
    (event) => event.action === 'membership.create' && event.actor?.startsWith('Practitioner/'),
  );
  expect(created.length).toBeGreaterThanOrEqual(4);
});

test('rows that are a part of a longer list keep their numbers in it', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(3), numbers: [2, 3, 40] });
  await run(world, jobId);
  const lines = await resultOf(world, jobId);
  expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['2', '3', '40']);
  for (const numbers of [[1, 2], [1, 3, 3], [0, 1, 2], [1, 2, 1_000_001], [1, 2, 2.5], 'all']) {
    const refused = await world.call('POST', '/jobs', { body: { kind: 'invite', rows: invites(3), numbers } });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.issue[0].expression[0]).toMatch(/^numbers/);
  }
});

test('run twice, or by two at once, every row is done once', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(12) });
  await Promise.all([run(world, jobId), run(world, jobId), run(world, jobId)]);
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', total: 12, done: 12, failed: 0 });
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(new Set(mails.map((row) => row.recipient)).size).toBe(12);
  expect(mails).toHaveLength(12);
});

test('members are changed by id or by search, under the same guards', async () => {
  const world = await createWorld();
  const [one, two] = [await world.invite({ lastName: 'One' }), await world.invite({ lastName: 'Two' })];
  const patient = await world.invite({ resourceType: 'Patient', lastName: 'Three' });
  const steps: [string, (row: { active: boolean; admin: boolean }) => boolean][] = [
    ['promote', (row) => row.admin],
    ['demote', (row) => !row.admin],
    ['deactivate', (row) => !row.active],
    ['reactivate', (row) => row.active],
  ];
  for (const [kind, holds] of steps) {
    const jobId = await startJob(world, { kind, members: [one.id, two.id] });
    await run(world, jobId);
    expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: 2, failed: 0 });
    const keys = await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId));
    for (const key of keys.filter((row) => [one.id, two.id].includes(row.membershipId))) expect(holds(key)).toBe(true);
  }
  const resend = await startJob(world, { kind: 'resend', members: [patient.id] });
  await run(world, resend);
  expect(await readJob(world, resend)).toMatchObject({ done: 1, failed: 0 });
  const jobId = await startJob(world, { kind: 'remove', search: 'profile-type=Practitioner' });
  await run(world, jobId);
  // The owner is one of them.
  expect(await readJob(world, jobId)).toMatchObject({ total: 3, done: 2, failed: 1 });
  expect((await resultOf(world, jobId)).filter((line) => line.includes('Cannot remove the owner'))).toHaveLength(1);
  expect((await world.call('GET', `/members/${one.id}`)).status).toBe(410);
  expect((await world.call('GET', `/members/${patient.id}`)).status).toBe(200);
});

test('who is no administrator any more changes nothing more', async () => {
  const world = await createWorld();
  const admin = await world.invite({ admin: true, password: 'Violet-Hammock-41' });
  const bearer = await signIn(world.projectId, admin.id, admin.user.reference);
  const answer = await world.call('POST', '/jobs', { bearer, body: { kind: 'invite', rows: invites(3) } });
  await world.call('PATCH', `/members/${admin.id}`, { body: [{ op: 'remove', path: '/admin' }] });
  await run(world, answer.body.id);
  expect(await readJob(world, answer.body.id)).toMatchObject({ state: 'done', done: 0, failed: 3 });
  const stopped = await world.call('POST', '/jobs', { body: { kind: 'invite', rows: invites(1) } });
  expect(stopped.status).toBe(202);
});

test('a job whose administrator was deactivated fails row by row instead of hanging', async () => {
  const world = await createWorld();
  const admin = await world.invite({ admin: true, password: 'Violet-Hammock-41' });
  const bearer = await signIn(world.projectId, admin.id, admin.user.reference);
  const answer = await world.call('POST', '/jobs', { bearer, body: { kind: 'invite', rows: invites(2) } });
  await world.call('DELETE', `/members/${admin.id}`);
  await run(world, answer.body.id);
  expect(await readJob(world, answer.body.id)).toMatchObject({ state: 'done', done: 0, failed: 2 });
  expect((await resultOf(world, answer.body.id))[1]).toContain('may do so no longer');
});

test('a cancelled job leaves what has not begun', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(3) });
  const cancelled = await world.call('POST', `/jobs/${jobId}/cancel`);
  expect(cancelled.body).toMatchObject({ state: 'cancelled', done: 0 });
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'cancelled', done: 0, failed: 0 });
  expect((await resultOf(world, jobId))[1]).toContain(',cancelled,');
  expectOutcome(await world.call('POST', `/jobs/${jobId}/cancel`), 409);
});

test('who is erased stands in no row that a stopped job left, and in one that is to come', async () => {
  const world = await createWorld();
  const [stopped, waits] = [
    await startJob(world, { kind: 'invite', rows: invites(1) }),
    await startJob(world, { kind: 'invite', rows: invites(1) }),
  ];
  await world.call('POST', `/jobs/${stopped}/cancel`);
  const member = newId();
  await db().execute(sql`update bulk_job_row set membership_id = ${member} where project_id = ${world.projectId}`);
  await forgetMembers(db(), world.projectId, [member]);
  const rows = await db().select().from(bulkJobRow).where(eq(bulkJobRow.projectId, world.projectId));
  const whoOf = (jobId: string) => rows.find((row) => row.jobId === jobId)?.who;
  expect(whoOf(stopped)).toBe('An erased person');
  expect(whoOf(waits)).not.toBe('An erased person');
});

test('rows run in several lanes at once', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(12) });
  const { promise: all, resolve: open } = Promise.withResolvers<void>();
  let under = 0;
  // Nobody passes before every lane stands here: one row after another would wait for ever.
  const gate: typeof actorOfJob = async (job) => {
    under += 1;
    if (under === LANES) open();
    await all;
    return actorOfJob(job);
  };
  await runBulkJob(world.projectId, jobId, gate, new AbortController().signal);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: 12, failed: 0 });
});

test('an address that stands in a list several times is one person: its rows are done in their order', async () => {
  const world = await createWorld();
  const [twice, upserted] = [anEmail(), anEmail()];
  const patient = { externalId: `mrn-${twice}`, resourceType: 'Patient', email: undefined };
  const rows = [
    ...Array.from({ length: 6 }, (_, index) => invitation({ email: twice, lastName: `Twice${index}` })),
    ...[true, false, true].map((admin) => invitation({ email: upserted.toUpperCase(), upsert: true, admin })),
    ...Array.from({ length: 3 }, () => invitation(patient)),
    ...invites(8),
  ];
  const jobId = await startJob(world, { kind: 'invite', rows });
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: 13, failed: 7 });
  const outcomes = (await resultOf(world, jobId)).slice(1).map((line) => line.split(',')[2]);
  expect(outcomes.slice(0, 6)).toEqual(['created', ...Array(5).fill('failed')]);
  expect(outcomes.slice(6, 9)).toEqual(['created', 'upserted', 'upserted']);
  expect(outcomes.slice(9, 12)).toEqual(['created', 'failed', 'failed']);
  const keys = await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId));
  const people = keys.filter((row) => row.userRef.startsWith('User/'));
  expect(people).toHaveLength(1 + 3 + 8);
  // The owner, and whom the last of the three rows made one.
  expect(people.filter((row) => row.admin)).toHaveLength(2);
});

test('of rows with one externalId the first is done, whether or not they have an address', async () => {
  const world = await createWorld();
  const pairs = Array.from({ length: 12 }, (_, at) => ({ externalId: `mrn-${at}`, email: anEmail() }));
  const rows = [...pairs, ...pairs.map(({ externalId }) => ({ externalId, email: undefined }))].map(invitation);
  const jobId = await startJob(world, { kind: 'invite', rows });
  await run(world, jobId);
  const outcomes = (await resultOf(world, jobId)).slice(1).map((line) => line.split(',')[2]);
  expect(outcomes).toEqual([...pairs.map(() => 'created'), ...pairs.map(() => 'failed')]);
});

test('rows that are done side by side do not come to stand on one profile', async () => {
  const world = await createWorld();
  const addresses = Array.from({ length: 40 }, anEmail);
  const telecom = addresses.map((value) => ({ system: 'email', value }));
  const body = { resourceType: 'Practitioner', name: [{ family: 'Shared' }], telecom };
  const shared = (await callApi(world.owner.bearer, 'POST', '/fhir/R4/Practitioner', { body })).body.id;
  const rows = addresses.map((email) => invitation({ email }));
  const jobId = await startJob(world, { kind: 'invite', rows: [...rows, ...invites(40)] });
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: 41, failed: 39 });
  const keys = await db().select().from(membershipKey).where(eq(membershipKey.projectId, world.projectId));
  expect(keys.filter((row) => row.profileRef === `Practitioner/${shared}`)).toHaveLength(1);
});

test('demotions of every administrator in one job leave one', async () => {
  const root = await createSuperAdmin();
  const made = await callApi(root, 'POST', '/admin/Project', { body: { resourceType: 'Project', name: 'Ownerless' } });
  const base = `/admin/projects/${made.body.id}`;
  const members: string[] = [];
  for (let index = 0; index < LANES; index++) {
    members.push((await callApi(root, 'POST', `${base}/invite`, { body: invitation({ admin: true }) })).body.id);
  }
  const { body } = await callApi(root, 'POST', `${base}/jobs`, { body: { kind: 'demote', members } });
  await runBulkJob(made.body.id, body.id, actorOfJob, new AbortController().signal);
  const job = (await callApi(root, 'GET', `${base}/jobs/${body.id}`)).body;
  expect(job).toMatchObject({ state: 'done', done: LANES - 1, failed: 1 });
  const keys = await db().select().from(membershipKey).where(eq(membershipKey.projectId, made.body.id));
  expect(keys.filter((row) => row.admin && row.userRef.startsWith('User/'))).toHaveLength(1);
});

test('cancelled in the middle, what has begun ends, the rest stays undone, and no row fails of it', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(200) });
  const cancel = atTurn(12, () => world.call('POST', `/jobs/${jobId}/cancel`));
  await runBulkJob(world.projectId, jobId, cancel, new AbortController().signal);
  const job = await readJob(world, jobId);
  expect(job).toMatchObject({ state: 'cancelled', failed: 0 });
  expect(job.done).toBeGreaterThan(0);
  expect(job.done).toBeLessThanOrEqual(11 * 8);
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(mails).toHaveLength(job.done);
});

test('a cancel waits for no row that is under way', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(3) });
  await transaction(async (tx) => {
    await tx.execute(
      sql`select 1 from bulk_job_row where project_id = ${world.projectId} and job_id = ${jobId} and number = 0 for update`,
    );
    expect((await world.call('POST', `/jobs/${jobId}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  });
  const rows = await db().select().from(bulkJobRow).where(eq(bulkJobRow.jobId, jobId));
  expect(rows.filter((row) => row.inputSealed !== null).map((row) => row.number)).toEqual([0]);
});

test('stopped in the middle, it rejects when every lane stands still, and goes on from there', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(200) });
  const stop = new AbortController();
  const stopping = atTurn(12, async () => stop.abort(new Error('The server stops')));
  const running = runBulkJob(world.projectId, jobId, stopping, stop.signal);
  await expect(running).rejects.toThrow('The server stops');
  // Rows that a lane still were at would be locked.
  const waiting = sql`select number from bulk_job_row where project_id = ${world.projectId} and job_id = ${jobId} and state = 'waiting'`;
  const [all, free] = [await db().execute(waiting), await db().execute(sql`${waiting} for update skip locked`)];
  expect(free).toHaveLength(all.length);
  expect(all.length).toBeGreaterThan(0);
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: 200, failed: 0 });
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(mails).toHaveLength(200);
});

test('when the database goes away it rejects once, no row fails of it, and run again it goes on', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(60) });
  const killTransactions = () =>
    db().execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'gatehouse' and xact_start is not null`);
  let begun = 0;
  const going: typeof actorOfJob = async (job) => {
    begun += 1;
    // The other lanes are at their rows meanwhile.
    if (begun === 12) await vi.waitUntil(async () => (await killTransactions()).length > 0, WAIT);
    return actorOfJob(job);
  };
  const running = runBulkJob(world.projectId, jobId, going, new AbortController().signal);
  await expect(running).rejects.toThrow();
  // As the process that takes it up has them: new connections.
  await closeDb();
  const again = async () => {
    await run(world, jobId);
    return readJob(world, jobId);
  };
  // Of a cluster a worker may still be at what its coordinator has lost.
  await expect.poll(again).toMatchObject({ state: 'done', done: 60, failed: 0 });
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(mails).toHaveLength(60);
});

test('while the disk is full it rejects and no row fails of it, and with room again each is done', async (test) => {
  skipOnCluster(test, 'triggers');
  // More than all lanes may have under way at once: of these none is counted before it is committed.
  const ROWS = 160;
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'invite', rows: invites(ROWS) });
  const makeRoom = await fillDisk(world.projectId, 20);
  await expect(run(world, jobId)).rejects.toSatisfy(isStarved);
  const stopped = await readJob(world, jobId);
  expect(stopped).toMatchObject({ state: 'running', failed: 0 });
  expect(stopped.done).toBeGreaterThan(0);
  expect(stopped.done).toBeLessThan(ROWS);
  await makeRoom();
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', done: ROWS, failed: 0 });
  const mails = await db().select().from(mail).where(eq(mail.projectId, world.projectId));
  expect(new Set(mails.map((row) => row.recipient)).size).toBe(ROWS);
  expect(mails).toHaveLength(ROWS);
});

/** From so many members on, what would be one more of this project fails as on a full disk (disk_full). Returns what ends that. */
async function fillDisk(projectId: string, members: number): Promise<() => Promise<unknown>> {
  const name = `full_${newId().replaceAll('-', '')}`;
  await db().execute(
    sql.raw(`
      create function ${name}() returns trigger language plpgsql as $$ begin
        if (select count(*) from membership_key where project_id = '${projectId}') >= ${members} then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$;
      create trigger ${name} before insert on membership_key for each row when (new.project_id = '${projectId}') execute function ${name}()`),
  );
  return () => db().execute(sql.raw(`drop function ${name}() cascade`));
}

test('the same idempotencyKey is the same job; with another body it is refused', async () => {
  const world = await createWorld();
  const body = { kind: 'invite', rows: invites(1), idempotencyKey: 'drop-1' };
  const jobId = await startJob(world, body);
  const again = await world.call('POST', '/jobs', { body });
  expect(again).toMatchObject({ status: 200, body: { id: jobId } });
  expectOutcome(await world.call('POST', '/jobs', { body: { ...body, rows: invites(1) } }), 422, 'idempotencyKey');
  const both = { ...body, idempotencyKey: 'drop-2' };
  const answers = await Promise.all([1, 2, 3].map(() => world.call('POST', '/jobs', { body: both })));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect((await world.call('GET', '/jobs')).body.rows).toHaveLength(2);
});

test('an eleventh unfinished job is refused', async () => {
  const world = await createWorld();
  for (let index = 0; index < 10; index++) await startJob(world, { kind: 'invite', rows: invites(1) });
  expectOutcome(await world.call('POST', '/jobs', { body: { kind: 'invite', rows: invites(1) } }), 409);
});

test.each([
  [{ kind: 'explode', rows: [] }, ['kind']],
  [{ kind: 'invite' }, ['rows']],
  [{ kind: 'invite', rows: [] }, ['rows']],
  [{ kind: 'invite', rows: [{ ...invitation(), email: 'nonsense' }] }, ['rows[0].email']],
  [{ kind: 'invite', rows: [invitation(), invitation({ password: 'Violet-Hammock-41' })] }, ['rows[1].password']],
  [{ kind: 'invite', rows: [invitation({ returnLink: true, sendEmail: false })] }, ['rows[0].returnLink']],
  [{ kind: 'remove' }, ['members']],
  [{ kind: 'remove', members: ['x'] }, ['members[0]']],
  [{ kind: 'remove', members: [], search: '' }, ['members', 'members']],
  [{ kind: 'remove', search: 'nonsense=1' }, ['nonsense']],
  [{ kind: 'remove', search: 'profile-type=Patient' }, ['search']],
  [{ kind: 'invite', rows: invites(1), extra: 1 }, ['extra']],
])('%j is refused by field', async (body, fields) => {
  const world = await createWorld();
  expectOutcome(await world.call('POST', '/jobs', { body }), 400, ...fields);
});

test('five thousand rows are taken in one request, one more is not', async () => {
  const world = await createWorld();
  const rows = Array.from({ length: 5001 }, () => invitation());
  expectOutcome(await world.call('POST', '/jobs', { body: { kind: 'invite', rows } }), 400, 'rows');
  const jobId = await startJob(world, { kind: 'invite', rows: rows.slice(0, 5000) });
  expect(await readJob(world, jobId)).toMatchObject({ total: 5000 });
  await world.call('POST', `/jobs/${jobId}/cancel`);
});

test('a job of five thousand rows is done to its last, and its result file has a line for each', async () => {
  const world = await createWorld();
  const jobId = await startJob(world, { kind: 'deactivate', members: Array.from({ length: 5000 }, newId) });
  // As a process that was killed near the end left it.
  await db()
    .update(bulkJobRow)
    .set({ state: 'failed' })
    .where(and(eq(bulkJobRow.jobId, jobId), lte(bulkJobRow.number, 4950)));
  await run(world, jobId);
  expect(await readJob(world, jobId)).toMatchObject({ state: 'done', total: 5000, done: 0, failed: 5000 });
  const lines = await resultOf(world, jobId);
  expect(lines).toHaveLength(5001);
  expect(lines.filter((line) => line.includes(',failed,'))).toHaveLength(5000);
});

test('401 without a token, 403 for others, the same 404 for another project’s job as for none', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const jobId = await startJob(world, { kind: 'invite', rows: [invitation({ email: anEmail() })] });
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/result'],
    ['POST', '/cancel'],
  ] as const) {
    expectOutcome(await world.call(method, `/jobs/${jobId}${path}`, { bearer: null }), 401);
    expectOutcome(await world.call(method, `/jobs/${jobId}${path}`, { bearer: other.owner.bearer }), 403);
    expectOutcome(await other.call(method, `/jobs/${jobId}${path}`), 404);
    expectOutcome(await other.call(method, `/jobs/nonsense${path}`), 404);
  }
  const left = await db()
    .select()
    .from(bulkJobRow)
    .where(and(eq(bulkJobRow.jobId, jobId), eq(bulkJobRow.state, 'waiting')));
  expect(left).toHaveLength(1);
});
