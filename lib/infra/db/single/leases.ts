import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, runText } from '../client.ts';
import { sentUntilOwn } from '../pool/of-another.ts';
import { toTextArray } from '../text-array.ts';
import { keepSingle } from './single.ts';

/** One of the places under a name, held by this process until it lets go of it, or loses its connection. */
export type Lease = { isHeld(): boolean; release(): void };

type Held = { connection: number; numbers: Set<number> };

/** What was held is to be held again before others take it for free: it tries again at once. */
const single = keepSingle('leases', forget);
let connection = 0;
const held = new Map<string, Held>();

/**
 * A lock of the session for each place, on a connection of its own: what a process holds is free as soon as it is gone, however it went.
 * `case`, because a session gets a lock that it has once more.
 */
const TAKE = `
  select n from generate_series(1, $2::int) as n
  where case when n = any($3::text::int[]) then false else pg_try_advisory_lock(hashtextextended($1::text || '/' || n, 0)) end
  limit 1`;
const GIVE = `select pg_advisory_unlock(hashtextextended($1::text || '/' || $2::int, 0))`;

/**
 * A place under this name, of so many that all processes on the database share; undefined when none is left. One question for one name
 * at a time.
 */
export async function tryLease(name: string, places: number): Promise<Lease | undefined> {
  const mine = heldOf(name);
  const params = [name, places, `{${[...mine.numbers]}}`] as never[];
  const [row] = (await sentUntilOwn(() => single.open().unsafe(TAKE, params, { prepare: true }), params)) as {
    n: number;
  }[];
  // A lock that was lost while we asked is nobody's.
  if (!row || mine.connection !== connection) return undefined;
  mine.numbers.add(row.n);
  held.set(name, mine);
  const isHeld = () => mine.connection === connection && mine.numbers.has(row.n);
  return { isHeld, release: () => isHeld() && give(name, mine, row.n) };
}

/** Holds the only place under this name while `work` is under way, and again when its connection was lost: who finds it free knows that nobody is at it. */
export async function whileHolding<T>(name: string, work: () => Promise<T>): Promise<T> {
  let lease: Lease | undefined;
  let asking: Promise<void> | undefined;
  const hold = () => {
    if (lease?.isHeld()) return;
    asking ??= tryLease(name, 1)
      .then(
        (got) => {
          lease = got;
        },
        () => undefined,
      )
      .finally(() => {
        asking = undefined;
      });
  };
  hold();
  // Before anybody may wonder why it is free.
  await asking;
  const beating = setInterval(hold, pace.jobBeatMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(beating);
    await asking;
    lease?.release();
  }
}

const FREE = `select name from unnest($1::text[]) as name where pg_try_advisory_xact_lock_shared(hashtextextended(name || '/1', 0))`;

/**
 * Of these names those whose only place nobody holds, in any process. Asked by a lock that others may ask by, too, and that ends with the
 * statement: who would take the place meanwhile must ask again.
 */
export async function freeLeases(names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await runText<{ name: string }>(db(), FREE, [toTextArray(names)]);
  return new Set(rows.map(({ name }) => name));
}

export async function closeLeases(): Promise<void> {
  const closing = single.close();
  forget();
  await closing;
}

function heldOf(name: string): Held {
  const known = held.get(name);
  if (known?.connection === connection) return known;
  const fresh = { connection, numbers: new Set<number>() };
  held.set(name, fresh);
  return fresh;
}

function give(name: string, mine: Held, place: number): void {
  mine.numbers.delete(place);
  if (mine.numbers.size === 0) held.delete(name);
  single
    .open()
    .unsafe(GIVE, [name, place] as never[], { prepare: true })
    .catch((error) => log.warn({ err: error }, 'a place could not be given back'));
}

/** Its locks went with the connection. */
function forget(): void {
  connection += 1;
  held.clear();
}
