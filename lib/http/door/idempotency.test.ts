import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Actor, Ctx } from '#lib/domain/access/context.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { onceClaimed } from './idempotency.ts';
import type { Reply } from './reply.ts';

function caller(): Ctx {
  const actor = { projectId: newId(), membershipId: newId() } as Actor;
  return { requestId: 'test', remoteAddress: '', userAgent: '', actor };
}

const request = (key: string) =>
  new Request('http://localhost/x', { method: 'POST', headers: { 'idempotency-key': key } });

/** Work that counts how often it was done, and ends when it is told. */
function work(reply: Reply | Error = { status: 200, body: 'done', contentType: 'text/plain' }) {
  let runs = 0;
  const run = async (): Promise<Reply> => {
    runs += 1;
    if (reply instanceof Error) throw reply;
    return reply;
  };
  return { run, runs: () => runs };
}

describe('onceClaimed', () => {
  test('the same request is done once; its answer comes again as it was, bytes included', async () => {
    const ctx = caller();
    const bytes = new Uint8Array([0, 255, 1]);
    const { run, runs } = work({ status: 200, body: bytes, contentType: 'application/pdf', headers: { 'x-a': '1' } });
    const send = () => onceClaimed(ctx, request('k'), { a: 1 }, run);
    await send();
    const again = await send();
    expect(runs()).toBe(1);
    expect(again).toEqual({
      status: 200,
      body: bytes,
      contentType: 'application/pdf',
      headers: { 'x-a': '1', 'idempotent-replayed': 'true' },
    });
  });

  test('while the first one runs, a second one is told to wait (409)', async () => {
    const ctx = caller();
    let finish = (_: Reply) => {};
    let begun = () => {};
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const first = onceClaimed(ctx, request('k'), {}, () => {
      begun();
      return new Promise<Reply>((resolve) => {
        finish = resolve;
      });
    });
    await started;
    await expect(onceClaimed(ctx, request('k'), {}, work().run)).rejects.toMatchObject({ code: 'conflict' });
    finish({ status: 200, body: 'done' });
    expect((await first).body).toBe('done');
  });

  test('another body under the same key is refused (422), and what fails may be tried again', async () => {
    const ctx = caller();
    const failing = work(new AppError('invalid', 'no'));
    await expect(onceClaimed(ctx, request('k'), { a: 1 }, failing.run)).rejects.toMatchObject({ code: 'invalid' });
    await onceClaimed(ctx, request('k'), { a: 2 }, work().run);
    await expect(onceClaimed(ctx, request('k'), { a: 3 }, work().run)).rejects.toMatchObject({ code: 'business-rule' });
  });

  test('a claim that was abandoned is taken over by exactly one of those who come', async () => {
    const ctx = caller();
    const { projectId, membershipId } = ctx.actor!;
    await onceClaimed(ctx, request('k'), {}, work().run);
    await db()
      .update(idempotencyKey)
      .set({ status: 0, createdAt: new Date(Date.now() - 60 * 60_000) })
      .where(and(eq(idempotencyKey.projectId, projectId), eq(idempotencyKey.membershipId, membershipId)));
    const { run, runs } = work();
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => onceClaimed(ctx, request('k'), {}, run)));
    expect(runs()).toBe(1);
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true);
  });

  test('without the header it just runs', async () => {
    const { run, runs } = work();
    const plain = new Request('http://localhost/x', { method: 'POST' });
    for (const _ of [1, 2]) await onceClaimed(caller(), plain, {}, run);
    expect(runs()).toBe(2);
  });
});
