import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable, renewRehearsals, runText, transactionOn } from './client.ts';
import { refusalIn, whileRehearsing } from './rehearsing.ts';

export type Rehearsal = {
  /** One after the other. What a step that throws has done is taken back, and the others go on. */
  step<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Takes everything back. */
  end(): Promise<void>;
};

/** What a dry run waits for a lock of somebody's, and a statement of it takes. */
const LOCK_MS = 1000;
const STATEMENT_MS = 5000;
/** So long at most somebody waits for a lock of a dry run's. */
const LOOK_MS = 250;
/** So long its beginning and its end wait for the driver, which may never tell of a connection that is gone. */
const BEGIN_MS = 5000;
const END_MS = 3000;

/**
 * A transaction that is always taken back, begun with its first step. It is open while a bot's code runs, as nothing else here is, so it is
 * bound hard: the one connection of the process for it, a short wait for locks, PostgreSQL's own limits on how long it lasts and rests
 * (`limitMs` and two seconds, if this process should say nothing any more), and it gives way: when somebody waits for what it has locked it is
 * ended. `onLost`: with why it ended by itself.
 */
export function openRehearsal(limitMs: number, onLost: (error: unknown) => void): Rehearsal {
  const over = Promise.withResolvers<void>();
  let opening: Promise<Queryable> | undefined;
  let done: Promise<void> = Promise.resolve();
  let last: Promise<unknown> = Promise.resolve();
  let why: unknown;
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);

  return { step, end };

  function step<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    const mine = Promise.race([last.then(() => one(work)), lost.promise]);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function one<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    if (why) throw why;
    opening ??= begin();
    const tx = await opening;
    await tx.execute(sql`savepoint step`);
    try {
      const value = await whileRehearsing(() => work(tx).catch(tellRefusal));
      await tx.execute(sql`release savepoint step`);
      return value;
    } catch (error) {
      await tx.execute(sql`rollback to savepoint step`).catch(() => undefined);
      throw why ?? error;
    }
  }

  function begin(): Promise<Queryable> {
    const opened = Promise.withResolvers<Queryable>();
    let looking: NodeJS.Timeout | undefined;
    const late = setTimeout(() => {
      renewRehearsals();
      lose(connectionLost());
      opened.reject(why);
    }, BEGIN_MS).unref();
    done = transactionOn('rehearsals', async (tx) => {
      clearTimeout(late);
      const pid = await limit(tx, limitMs + 2000);
      looking = setInterval(() => void giveWay(pid), LOOK_MS);
      opened.resolve(tx);
      await over.promise;
      throw new TakenBack();
    })
      .catch((error: unknown) => {
        if (error instanceof TakenBack) return;
        lose(error);
        opened.reject(why);
      })
      .finally(() => {
        clearTimeout(late);
        clearInterval(looking);
      });
    return opened.promise;
  }

  async function giveWay(pid: number): Promise<void> {
    if (why) return;
    const found = await look(pid).catch(() => undefined);
    if (found?.isGone) lose(connectionLost());
    if (why || !found?.isInTheWay) return;
    lose(new AppError('conflict', 'Somebody else changes what this dry run has changed, too: it gave way. Try again'));
  }

  function lose(error: unknown): void {
    if (why) return;
    why = error;
    over.resolve();
    lost.reject(why);
    onLost(why);
  }

  async function end(): Promise<void> {
    why ??= new AppError('conflict', 'The dry run is over');
    over.resolve();
    const isDone = await Promise.race([done.then(() => true), pause(END_MS, false, { ref: false })]);
    if (!isDone) renewRehearsals();
  }
}

function connectionLost(): AppError {
  return new AppError('unavailable', 'The connection of this dry run was lost. Try again');
}

function tellRefusal(error: unknown): never {
  throw (!(error instanceof AppError) && refusalIn(error)) || error;
}

/** Carries nothing out of the transaction. */
class TakenBack extends Error {}

const LIMIT = `
  select pg_backend_pid() as pid, set_config('lock_timeout', '${LOCK_MS}', true), set_config('statement_timeout', '${STATEMENT_MS}', true),
    set_config('idle_in_transaction_session_timeout', $1::text, true),
    (select set_config(name, $1::text, true) from pg_settings where name = 'transaction_timeout')`;

async function limit(tx: Queryable, ms: number): Promise<number> {
  const [row] = await runText<{ pid: number }>(tx, LIMIT, [String(ms)]);
  return row!.pid;
}

const LOOK = `
  select not exists (select from pg_stat_activity where pid = $1::int) as "isGone",
    exists (select from pg_locks l where not l.granted and $1::int = any(pg_blocking_pids(l.pid))) as "isInTheWay"`;

async function look(pid: number): Promise<{ isGone: boolean; isInTheWay: boolean } | undefined> {
  const [row] = await runText<{ isGone: boolean; isInTheWay: boolean }>(db(), LOOK, [pid]);
  return row;
}
