import { setTimeout as pause } from 'node:timers/promises';
import { type Lease, tryLease } from '#lib/infra/db/single/leases.ts';
import { tooManyRuns } from '../runs/gate.ts';

type Waiter = { projectId: string; go: () => void };

const MOST_WAITING = 50;
const MOST_WAITING_MS = 20_000;
const ASK_AGAIN_MS = 100;
/** In all processes together: each has a connection open beside those of requests. */
const MOST_AT_ONCE = 2;

let isTaken = false;
const waiting: Waiter[] = [];

/**
 * Waits until nobody else in this process makes a dry run, nobody of the project in any, and at most one other in all: resolves to what gives
 * the turn back. Throws 429 when that takes longer than twenty seconds, or fifty wait.
 */
export async function takeTurn(projectId: string): Promise<() => void> {
  const until = Date.now() + MOST_WAITING_MS;
  await takePlace(projectId);
  const leases: Lease[] = [];
  const giveBack = () => {
    for (const lease of leases) lease.release();
    leave();
  };
  try {
    leases.push(await waitFor(`dry-run:${projectId}`, 1, until));
    leases.push(await waitFor('dry-runs', MOST_AT_ONCE, until));
    return giveBack;
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function waitFor(name: string, places: number, until: number): Promise<Lease> {
  for (;;) {
    const lease = await tryLease(name, places);
    if (lease) return lease;
    if (Date.now() > until) throw tooManyRuns('Other dry runs are under way');
    await pause(ASK_AGAIN_MS);
  }
}

async function takePlace(projectId: string): Promise<void> {
  if (!isTaken) {
    isTaken = true;
    return;
  }
  if (waiting.length >= MOST_WAITING) throw tooManyRuns('Too many dry runs are waiting');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiter: Waiter = { projectId, go: resolve };
  waiting.push(waiter);
  const late = setTimeout(() => {
    const at = waiting.indexOf(waiter);
    if (at < 0) return;
    waiting.splice(at, 1);
    reject(tooManyRuns('Too many dry runs are waiting'));
  }, MOST_WAITING_MS).unref();
  return promise.finally(() => clearTimeout(late));
}

/** Who leaves hands the place on. */
function leave(): void {
  const next = waiting.shift();
  if (next) next.go();
  else isTaken = false;
}
