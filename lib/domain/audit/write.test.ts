import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { rateCounter } from '#lib/infra/db/schema/identity.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import type { Actor, AuditEntry, Ctx, Write } from '../access/context.ts';
import { write } from './write.ts';

const ctx: Ctx = { requestId: 'request-1', remoteAddress: '10.0.0.9', userAgent: 'probe' };

/** A change of one row that no rule of the domain knows. */
async function put(q: Queryable, key: string, count = 1): Promise<void> {
  await q.insert(rateCounter).values({ key, count, resetAt: new Date() });
}

async function countOf(key: string): Promise<number | undefined> {
  const [row] = await db().select().from(rateCounter).where(eq(rateCounter.key, key));
  return row?.count;
}

function entry(target: string): AuditEntry {
  return { projectId: SERVER_SCOPE, action: 'user.update', target };
}

function eventsOf(target: string) {
  return db().select().from(auditEvent).where(eq(auditEvent.target, target));
}

function raise(tx: Queryable, state: string): Promise<unknown> {
  return tx.execute(sql.raw(`do $$ begin raise exception 'made' using errcode = '${state}'; end $$`));
}

describe('audit', () => {
  test('a change without an audit entry does not commit', async () => {
    const key = newId();
    await expect(write(ctx, (w) => put(w.tx, key))).rejects.toMatchObject({ code: 'exception' });
    expect(await countOf(key)).toBeUndefined();
  });

  test('an entry says who, on whose behalf, from where and in which request', async () => {
    const target = `Test/${newId()}`;
    const [membershipId, loginId] = [newId(), newId()];
    const caller = { profile: 'Practitioner/2', membershipId, loginId } as Actor;
    const actor = { profile: 'Practitioner/1', membershipId: newId(), loginId, caller } as Actor;
    await write({ ...ctx, actor }, async (w) => {
      w.audit({ ...entry(target), before: { admin: false }, after: { admin: true } });
    });
    expect(await eventsOf(target)).toMatchObject([
      {
        action: 'user.update',
        actor: 'Practitioner/2',
        actorMembership: membershipId,
        loginId,
        onBehalfOf: 'Practitioner/1',
        requestId: 'request-1',
        remoteAddress: '10.0.0.9',
        before: { admin: false },
        after: { admin: true },
        outcome: 0,
      },
    ]);
  });

  test('a change that finds everything so writes nothing at all, and its answer stands; notes on the work are kept when they are asked for', async () => {
    const key = newId();
    const run = async (w: Write) => {
      await put(w.tx, key);
      w.unchanged();
      return 'so already';
    };
    expect(await write(ctx, run)).toBe('so already');
    expect(await countOf(key)).toBeUndefined();
    expect(await write(ctx, run, { notes: true })).toBe('so already');
    expect(await countOf(key)).toBe(1);
  });

  test('when the change fails, neither it nor its entry is there, and nothing runs after', async () => {
    const key = newId();
    let after = 0;
    const failing = write(ctx, async (w) => {
      w.audit(entry(key));
      w.afterCommit(() => after++);
      await put(w.tx, key);
      throw new AppError('conflict', 'no');
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    expect([await countOf(key), await eventsOf(key), after]).toEqual([undefined, [], 0]);
  });
});

test('a verb inside joins: one transaction, all entries, all or nothing', async () => {
  const keys = [newId(), newId()] as const;
  const both = (fail: boolean) =>
    write(ctx, async (w, inside) => {
      await put(w.tx, keys[0]);
      await write(inside, async (inner) => {
        expect(inner.tx).toBe(w.tx);
        inner.audit(entry(keys[1]));
        await put(inner.tx, keys[1]);
      });
      if (fail) throw new AppError('conflict', 'no');
    });
  await expect(both(true)).rejects.toThrow();
  expect(await Promise.all(keys.map(countOf))).toEqual([undefined, undefined]);
  await both(false);
  expect(await Promise.all(keys.map(countOf))).toEqual([1, 1]);
});

describe('contention', () => {
  test.each(['40001', '40P01'])('%s is tried again, with the entries of the last try only', async (state) => {
    const target = `Test/${newId()}`;
    let [tries, after] = [0, 0];
    await write(ctx, async (w) => {
      tries++;
      w.audit(entry(target));
      w.afterCommit(() => after++);
      if (tries < 3) await raise(w.tx, state);
    });
    expect([tries, after, (await eventsOf(target)).length]).toEqual([3, 1, 1]);
  });

  test('that does not settle is the caller’s 409', async () => {
    let tries = 0;
    const failing = write(ctx, async (w) => {
      tries++;
      await raise(w.tx, '40001');
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict', name: 'AppError' });
    expect(tries).toBe(4);
  });

  test('two that lock the same rows crosswise both get through', async () => {
    const [a, b] = [newId(), newId()];
    await put(db(), a, 0);
    await put(db(), b, 0);
    let waiting = 2;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const raiseBoth = (first: string, second: string) =>
      write(ctx, async (w) => {
        w.audit(entry(first));
        await add(w.tx, first);
        waiting -= 1;
        if (waiting <= 0) go();
        await both;
        await add(w.tx, second);
      });
    await Promise.all([raiseBoth(a, b), raiseBoth(b, a)]);
    expect([await countOf(a), await countOf(b)]).toEqual([2, 2]);
  });

  test('a unique index that was lost to is a 409, and is not tried again', async () => {
    const key = newId();
    await put(db(), key);
    let tries = 0;
    const failing = write(ctx, async (w) => {
      tries++;
      await put(w.tx, key);
    });
    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    expect(tries).toBe(1);
  });
});

async function add(tx: Queryable, key: string): Promise<void> {
  await tx.update(rateCounter).set({ count: sql`count + 1` }).where(eq(rateCounter.key, key));
}
