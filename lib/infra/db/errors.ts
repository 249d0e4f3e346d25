import { AppError } from '#lib/base/errors.ts';

/** serialization_failure, deadlock_detected (PostgreSQL appendix A). */
const RETRYABLE = new Set(['40001', '40P01']);

/** Thrown where a transaction finds by itself that another was faster, and may be tried again. */
export class Overtaken extends Error {
  readonly code = '40001';

  constructor() {
    super('Another was faster');
  }
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '') || isSplitMeanwhile(error);
}

const MOST_TRIES = 4;
/** Each time another has made one of the ids that were wanted: of many, one after the other, it may happen this often. */
const MOST_OVERTAKEN = 32;

/** Does once more what gave way to another (deadlocks, serialisation failures) or was overtaken: of it nothing was done. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1, overtaken = 1; ; ) {
    try {
      return await run();
    } catch (error) {
      const isOver = error instanceof Overtaken ? overtaken++ === MOST_OVERTAKEN : tries++ === MOST_TRIES;
      if (isOver || !isRetryable(error)) throw error;
    }
  }
}

/** By another's locks (deadlock_detected, lock_not_available). */
export function isHeldUp(error: unknown): boolean {
  return ['40P01', '55P03'].includes(sqlState(error) ?? '');
}

/** On a cluster a name ends with the number of the shard; none of ours ends with digits. */
const SHARD = /_\d+$/;
/** What the coordinator of a cluster passes on of a node's error is its message, without the field that names the index. */
const NAMED = /"([^"]+)"$/;

/** Whether a write lost to a unique index, and to which. */
export function uniqueViolation(error: unknown): string | undefined {
  const root = rootOf(error);
  if (sqlState(error) !== '23505' || !(root instanceof Error)) return undefined;
  const name = 'constraint_name' in root ? String(root.constraint_name) : NAMED.exec(root.message)?.[1];
  return name?.replace(SHARD, '') ?? '';
}

/** The driver's own codes, Node's, and those of a server that goes down or is not up yet (PostgreSQL appendix A, classes 08 and 57P). */
const CONNECTION = /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|08|57P)/;

/** As the coordinator of a cluster says, for a fault of its own (XX000), that a node has gone in the middle of a transaction. */
const NODE_GONE = /^failure on connection marked as essential|connection not open|closed the connection unexpectedly/;

/** The database, or of a cluster the node, could not be asked: whatever it was about may well work in a moment. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  return CONNECTION.test(state) || (state === 'XX000' && NODE_GONE.test((rootOf(error) as Error).message));
}

/** As the coordinator of a cluster says (40001, or a fault of its own) of a shard that was split while a statement waited for it: nothing of it was done. */
const SPLIT = /^shard for the given value does not exist|^could not find valid entry for shard \d/;

export function isSplitMeanwhile(error: unknown): boolean {
  return ['40001', 'XX000'].includes(sqlState(error) ?? '') && SPLIT.test((rootOf(error) as Error).message);
}

/** A statement of a transaction in which another has failed (in_failed_sql_transaction): it tells nothing by itself. */
export function isAborted(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** A disk that is full, connections that are all taken: it could be asked, and can do nothing for now. */
const STARVED = /^53[13]00$/;

export function isStarved(error: unknown): boolean {
  return STARVED.test(sqlState(error) ?? '');
}

/** Whether PostgreSQL gave up on a statement that took too long (query_canceled). */
export function isTooSlow(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** Classes 53 (insufficient resources) and 55 (a lock that another holds). */
const SHORTAGE = /^5[35]/;

/** It failed for what may be over in a moment, and not for what the statement says. */
export function isPassing(error: unknown): boolean {
  return isConnectionLoss(error) || isTooSlow(error) || isRetryable(error) || SHORTAGE.test(sqlState(error) ?? '');
}

/** Whether a value was none that PostgreSQL can keep: data exceptions (class 22), and what is too large for an index (54). */
export function isUnstorable(error: unknown): boolean {
  return /^(22|54)/.test(sqlState(error) ?? '');
}

/** Contention that retries did not settle is the caller's 409, never a 500. Everything else stays as it is. */
export function toAppError(error: unknown): unknown {
  if (isRetryable(error)) return new AppError('conflict', 'Another change is under way; try again', { cause: error });
  // Whoever knew the index has said it better.
  if (error instanceof AppError) return error;
  if (uniqueViolation(error) !== undefined) return new AppError('conflict', 'Already exists', { cause: error });
  return error;
}

function sqlState(error: unknown): string | undefined {
  const root = rootOf(error);
  return root && typeof root === 'object' && 'code' in root ? String(root.code) : undefined;
}

/** Drizzle wraps the driver's error. */
function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && !('severity' in error) ? error.cause : error;
}
