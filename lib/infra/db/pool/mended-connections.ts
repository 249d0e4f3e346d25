import type postgres from 'postgres';
import { isConnectionLoss } from '../errors.ts';
import type { Load } from './load.ts';
import { type Queue, shorten } from './short-queue.ts';

/** As in the driver (postgres/src/connection.js, query.js). Their methods are looked up at each call. */
type Query = {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  /** Gives it to a connection of its pool. */
  handler(query: Query): void;
};
type Connection = {
  id: number;
  queue: Queue;
  /** What a transaction has of it. */
  reserved?: unknown;
  /** False: it takes no more for now. */
  execute(query: Query): unknown;
  connect(query: Query): unknown;
  /** Ends it, and rejects what is on it. */
  terminate(): void;
};
/** The driver's types lack it. */
type Options = { onexecute: (connection: Connection) => false };
type Pool = {
  /** By their ids, as the driver tells that one has ended. */
  ends: Map<number, () => void>;
  /** The driver has lost count of what is on a connection: another pool takes its place. */
  onBroken: () => void;
};

const mended = new WeakSet<Connection>();
/** Where the statement that shows a connection fails behind that, the next try is about what is mended already. */
const pools = new WeakMap<postgres.Sql, Pool>();
/** What waits, while anything does, of all pools: where one connection ends, others often do in the same moment. */
let held: Query[] | undefined;

/**
 * Mends what the driver (3.4.9) does wrong with the connections of this pool, by one that a statement shows: all others go through the same queues. Throws when
 * that did not show any.
 * - It keeps them in queues that leave a hole behind at each statement and are looked through from their start at the next. They are emptied only when the last
 *   connection is taken from one, which in a pool with some to spare never happens: after a million statements each costs a quarter of a millisecond more.
 * - Between the error and the end of a connection it sends more over it, and answers that on the next one, with nothing, with what is another's, or never: what
 *   comes then waits, and a connection that owes answers as it ends is none any more.
 * - What it is about to write as a connection ends it takes back, and then never writes again: as one ends, others often do, and what comes then waits as well. Where
 *   that did not help, no connection is made in time.
 * - An answer after a statement that failed with rows underway begins with as many holes.
 * - What it cannot write (parameters.ts) it answers with the answer to the next, and tells the one before of the fault.
 * `onBroken`: this pool is not to be used any more.
 */
export async function mendConnections(client: postgres.Sql, onBroken: () => void): Promise<void> {
  const pool = pools.get(client) ?? hearEnds(client, onBroken);
  pools.set(client, pool);
  let isMended = false;
  const onexecute = (connection: Connection): false => {
    mend(connection, pool);
    isMended = true;
    // No other statement comes behind this one on its connection.
    return false;
  };
  await client.unsafe('select 1', [], { onexecute } satisfies Options as object);
  if (!isMended) throw new Error('The driver did not show a connection');
}

function hearEnds({ options }: postgres.Sql, onBroken: () => void): Pool {
  const pool: Pool = { ends: new Map(), onBroken };
  const hearing = options as { onclose?: (id: number) => void };
  const { onclose } = hearing;
  hearing.onclose = (id) => {
    pool.ends.get(id)?.();
    onclose?.(id);
  };
  return pool;
}

/** Before anything else is sent over it, and again as long as that fails. */
export function mendWhenAsked(client: postgres.Sql, load: Pick<Load, 'onAsked'>, onBroken: () => void): void {
  load.onAsked = () => {
    load.onAsked = undefined;
    mendConnections(client, onBroken).catch(() => mendWhenAsked(client, load, onBroken));
  };
}

function mend(connection: Connection, pool: Pool): void {
  if (mended.has(connection)) return;
  mended.add(connection);
  const { execute, connect } = connection;
  const owed = new Set<Query>();
  pool.ends.set(connection.id, answerOwed);
  let { queue } = connection;
  /** Why nothing is sent until it is made anew. */
  let lost: unknown;
  let isRefusing = false;
  let executing: Query | undefined;
  const get = () => queue;
  const set = (next: Queue) => {
    shorten(next, (other: Connection) => mend(other, pool));
    queue = next;
    // What takes no more for now is put among the full.
    if (!isRefusing) lost = undefined;
    isRefusing = false;
  };
  Object.defineProperty(connection, 'queue', { get, set });
  connection.connect = (query) => connect(watched(query));
  connection.execute = (query) => {
    if (held && !connection.reserved) return held.push(query);
    if (lost !== undefined) {
      isRefusing = true;
      query.reject(lost);
      return Boolean(connection.reserved);
    }
    executing = query;
    try {
      return execute(watched(query));
    } finally {
      executing = undefined;
    }
  };

  /** What the driver has not told of it stands in its lists, and would have the answers of others. */
  function answerOwed(): void {
    if (owed.size === 0) return;
    queue.remove(connection);
    for (const query of [...owed]) query.reject(ended('CONNECTION_CLOSED'));
    pool.onBroken();
  }

  function watched(query: Query): Query {
    const { resolve, reject } = query;
    owed.add(query);
    query.resolve = (answer) => {
      owed.delete(query);
      dropHoles(answer);
      resolve(answer);
    };
    query.reject = (error) => {
      // Meant is the one that was to be sent.
      if (executing && executing !== query && !isEnd(error)) return breakOff(executing, error);
      owed.delete(query);
      if (isEnd(error)) {
        lost = error;
        holdAMoment();
      }
      if ((error as { code?: string } | null)?.code === 'CONNECT_TIMEOUT') pool.onBroken();
      reject(error);
    };
    return query;
  }

  /** Answers would go to who did not ask from here on. What waits to be written goes before that, or it never would (see above). */
  function breakOff(query: Query, error: unknown): void {
    query.reject(error);
    lost = ended('CONNECTION_DESTROYED');
    setImmediate(() => connection.terminate());
    pool.onBroken();
  }
}

function ended(code: string): Error {
  return Object.assign(new Error('The connection has ended'), { code });
}

/** In place: it is more than its rows. */
function dropHoles(answer: unknown): void {
  if (!Array.isArray(answer) || answer.length === 0) return;
  let holes = 0;
  while (holes < answer.length && !(holes in answer)) holes += 1;
  if (holes > 0) answer.splice(0, holes);
  // Of several statements in one text.
  dropHoles(answer[0]);
}

/** Not all of them say that of PostgreSQL alone. */
const SOCKET = /^(EPROTO|EHOST|ENET|ERR_STREAM|ERR_SSL)/;

/** Of the socket. Not what PostgreSQL says: not all of that ends a connection, and the driver tells it to the first statement on the next one, too. */
function isEnd(error: unknown): boolean {
  if (!(error instanceof Error) || 'severity' in error) return false;
  return isConnectionLoss(error) || ('code' in error && SOCKET.test(String(error.code)));
}

/** Timers come before what is read of sockets and their ends, and what is written in between is written before those. */
function holdAMoment(): void {
  if (held) return;
  held = [];
  setTimeout(() => {
    const queries = held ?? [];
    held = undefined;
    for (const query of queries) pass(query);
  }, 0);
}

function pass(query: Query): void {
  try {
    query.handler(query);
  } catch (error) {
    query.reject(error);
  }
}
