import type postgres from 'postgres';
import { isConnectionLoss } from '../errors.ts';

/** As in the driver (postgres/src/queue.js, connection.js). Their methods are looked up at each call. */
type Queue = {
  readonly length: number;
  push(item: unknown): unknown;
  shift(): unknown;
  remove(item: unknown): unknown;
};
/** `handler`: gives it to a connection of its pool. */
type Query = { reject(error: unknown): void; handler(query: Query): void };
type Connection = {
  queue: Queue;
  /** What a transaction has of it. */
  reserved?: unknown;
  /** False: it takes no more for now. */
  execute(query: Query): unknown;
  connect(query: Query): unknown;
};
/** The driver's types lack it. */
type Options = { onexecute: (connection: Connection) => false };

const short = new WeakSet<Queue>();
const mended = new WeakSet<Connection>();

/**
 * Mends what the driver (3.4.9) does wrong with the connections of this pool, by one that a statement shows: all others go through the same queues.
 * - It keeps them in queues that leave a hole behind at each statement and are looked through from their start at the next. They are emptied only when the last
 *   connection is taken from one, which in a pool with some to spare never happens: after a million statements each costs a quarter of a millisecond more.
 * - Between the error and the end of a connection it sends more over it, which nobody answers, and waits for that answer on the next one for good.
 * - What it is about to write as a connection ends it takes back, and never writes again on that, nor on those that follow it. Where one ends, others often do in
 *   the same moment: what comes then waits until they have.
 */
export async function mendConnections(client: postgres.Sql): Promise<void> {
  const pool: Pool = { held: undefined };
  const onexecute = (connection: Connection): false => {
    mend(connection, pool);
    // No other statement comes behind this one on its connection.
    return false;
  };
  await client.unsafe('select 1', [], { onexecute } satisfies Options as object);
}

/** `held`: what waits, while anything does. */
type Pool = { held: Query[] | undefined };

function mend(connection: Connection, pool: Pool): void {
  if (mended.has(connection)) return;
  mended.add(connection);
  const { execute, connect } = connection;
  let { queue } = connection;
  /** Why nothing is sent until it is made anew. */
  let lost: unknown;
  let isRefusing = false;
  const get = () => queue;
  const set = (next: Queue) => {
    shorten(next, pool);
    queue = next;
    // What takes no more for now is put among the full.
    if (!isRefusing) lost = undefined;
    isRefusing = false;
  };
  Object.defineProperty(connection, 'queue', { get, set });
  connection.connect = (query) => connect(watched(query));
  connection.execute = (query) => {
    if (pool.held && !connection.reserved) return pool.held.push(query);
    if (lost === undefined) return execute(watched(query));
    isRefusing = true;
    query.reject(lost);
    return Boolean(connection.reserved);
  };

  function watched(query: Query): Query {
    const { reject } = query;
    query.reject = (error) => {
      if (isEnd(error)) {
        lost = error;
        holdAMoment(pool);
      }
      reject(error);
    };
    return query;
  }
}

/** Timers come before what is read of sockets and their ends, and what is written in between is written before those. */
function holdAMoment(pool: Pool): void {
  if (pool.held) return;
  pool.held = [];
  setTimeout(() => {
    const queries = pool.held ?? [];
    pool.held = undefined;
    for (const query of queries) query.handler(query);
  }, 0);
}

/** Of the socket. Not what PostgreSQL says: not all of that ends a connection, and the driver tells it to the first statement on the next one, too. */
function isEnd(error: unknown): boolean {
  return isConnectionLoss(error) && !(error instanceof Error && 'severity' in error);
}

/** Has what it had, and no holes. */
function shorten(queue: Queue, pool: Pool): void {
  if (short.has(queue)) return;
  short.add(queue);
  const items: unknown[] = [];
  const push = (item: unknown) => {
    items.push(item);
    mend(item as Connection, pool);
    return item;
  };
  const remove = (item: unknown) => {
    const at = items.indexOf(item);
    return at < 0 ? null : items.splice(at, 1)[0];
  };
  const before: unknown[] = [];
  while (queue.length > 0) before.push(queue.shift());
  for (const item of before) push(item);
  Object.defineProperties(queue, {
    length: { get: () => items.length },
    push: { value: push },
    shift: { value: () => items.shift() },
    remove: { value: remove },
  });
}
