import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import type { KeptAnswer, NamedRequest } from './kept-answers.ts';
import { runClaimed } from './run-claimed.ts';

async function named(): Promise<NamedRequest> {
  const { projectId, owner } = await createWorld();
  return { projectId, membershipId: owner.membershipId, key: randomUUID(), content: 'x' };
}

/** Makes the claim as old as if nobody had held it for so long. */
const age = ({ key }: NamedRequest, ms: number) =>
  db().execute(
    sql`update idempotency_key set created_at = now() - make_interval(secs => ${ms / 1000}) where key = ${key}`,
  );

const OK: KeptAnswer = { status: 200, body: 'first' };

/** One that has its claim, and does its work. */
async function begun(request: NamedRequest, answer: Promise<KeptAnswer>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = runClaimed(request, () => {
    resolve();
    return answer;
  });
  await promise;
  return { running };
}

test('what a process has left that is gone may be done anew after two minutes, by one of those who ask', async () => {
  const request = await named();
  await begun(request, new Promise(() => undefined));
  await age(request, 100_000);
  await expect(runClaimed(request, async () => OK)).rejects.toMatchObject({ code: 'conflict' });
  await age(request, 130_000);
  let runs = 0;
  const run = async () => {
    runs += 1;
    await new Promise((done) => setTimeout(done, 200));
    return OK;
  };
  const all = await Promise.allSettled([1, 2, 3].map(() => runClaimed(request, run)));
  expect(runs).toBe(1);
  expect(all.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  expect(await runClaimed(request, async () => ({ status: 200, body: 'second' }))).toMatchObject({
    answer: { body: 'first' },
    replayed: true,
  });
});

test('what goes on is said to go on, and nobody else does it', async () => {
  const usual = pace.claimBeatMs;
  pace.claimBeatMs = 20;
  const request = await named();
  const { promise, resolve } = Promise.withResolvers<KeptAnswer>();
  const { running } = await begun(request, promise);
  const isYoung = async () => {
    const [row] = await db().execute<{ young: boolean }>(
      sql`select created_at > now() - interval '1 minute' as young from idempotency_key where key = ${request.key}`,
    );
    return row?.young === true;
  };
  await expect.poll(isYoung).toBe(true);
  pace.claimBeatMs = usual;
  await age(request, 200_000);
  await expect.poll(isYoung).toBe(true);
  await expect(runClaimed(request, async () => OK)).rejects.toMatchObject({ code: 'conflict' });
  resolve(OK);
  expect((await running).replayed).toBe(false);
});

test('what one says whose claim another has taken over is nothing to the other', async () => {
  const request = await named();
  const [first, second] = [Promise.withResolvers<KeptAnswer>(), Promise.withResolvers<KeptAnswer>()];
  const { running: one } = await begun(request, first.promise);
  await age(request, 130_000);
  const { running: other } = await begun(request, second.promise);
  first.resolve({ status: 400, body: 'failed' });
  expect((await one).answer.status).toBe(400);
  await expect(runClaimed(request, async () => OK)).rejects.toMatchObject({ code: 'conflict' });
  second.resolve({ status: 200, body: 'theirs' });
  expect((await other).replayed).toBe(false);
  expect((await runClaimed(request, async () => OK)).answer.body).toBe('theirs');
});

test('what is done is answered, also where it cannot be kept', async () => {
  const request = await named();
  // A character that PostgreSQL does not take.
  const done = await runClaimed(request, async () => ({ ...OK, headers: { 'x-odd': '\u0000' } }));
  expect(done).toMatchObject({ answer: { status: 200 }, replayed: false });
  await expect(runClaimed(request, async () => OK)).rejects.toMatchObject({ code: 'conflict' });
});
