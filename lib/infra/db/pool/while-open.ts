import { setTimeout as pause } from 'node:timers/promises';
import { isConnectionLoss } from '../errors.ts';

/** Until the driver has seen that the socket of a statement that failed is closed. */
const CLOSE_MS = 100;

/** `ending`: COMMIT or ROLLBACK is all that is still sent. What comes behind it would be done by itself. `locked`: see node-locks.ts. */
export type Life = { over: boolean; ending?: true; locked: Set<string> };

/**
 * `begin` rejects as soon as its connection is lost. What it would still send after that (COMMIT, ROLLBACK) goes to a socket that is
 * gone, which throws where nobody can catch it and ends the process (porsager/postgres#1154): so `run` then never ends for it.
 */
export async function whileOpen<T>(life: Life, running: Promise<T>): Promise<T> {
  try {
    const result = await running.finally(() => {
      life.ending = true;
    });
    return life.over ? await never() : result;
  } catch (error) {
    if (isConnectionLoss(error)) await pause(CLOSE_MS);
    if (life.over) return never();
    throw error;
  }
}

/** One each, so that what waits for it can be forgotten. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
