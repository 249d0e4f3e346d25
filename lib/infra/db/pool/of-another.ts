import { isSplitMeanwhile } from '../errors.ts';
import { type Pending, pendingOf } from '../pending.ts';
import type { Load } from './load.ts';

/** More than one pool has connections, whatever is set. */
const MOST_TRIES = 1024;

/**
 * Whether the driver tells a statement of the end of another. It keeps what PostgreSQL said as it ended a connection, and tells it to the first
 * statement after the connection is made anew, instead of sending that (porsager/postgres#1223): after a restart of the database, to one on
 * each connection. `isOwn` looks at what the driver says the failure was of.
 */
export function isOfAnother(error: unknown, isOwn: (of: { query?: unknown; args?: unknown }) => boolean): boolean {
  return error instanceof Error && 'severity' in error && 'query' in error && !isOwn(error);
}

/** Does `attempt` again as long as what failed was another's: then it was not begun. `load` counts what is under way. */
export async function untilOwn<T>(
  attempt: () => PromiseLike<T>,
  isOthers: (error: unknown) => boolean,
  load: Counted = UNCOUNTED,
): Promise<T> {
  load.open += 1;
  load.onAsked?.();
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt();
      } catch (error) {
        if (tries === MOST_TRIES || !isOthers(error)) throw error;
      }
    }
  } finally {
    load.open -= 1;
  }
}

type Counted = Pick<Load, 'open' | 'onAsked'>;

const UNCOUNTED: Counted = { open: 0 };

/**
 * What `send` gives, sent again where the failure is another's, or where it stands by itself (`load`) and its shard was split meanwhile.
 * `params` is the array that is sent: each statement has its own.
 */
export function sentUntilOwn(send: () => Pending, params: unknown[], load?: Counted): Pending {
  const isOthers = (error: unknown) =>
    isOfAnother(error, ({ args }) => args === params) || (load !== undefined && isSplitMeanwhile(error));
  return pendingOf((shape) => untilOwn(() => shape(send()), isOthers, load));
}
