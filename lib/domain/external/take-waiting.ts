import { timingSafeEqual } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { takeRoom } from '../limits/throttle.ts';
import { openWaiting, WAITING_SECONDS, type Waiting } from './start-external.ts';

/** What this browser waits for under this state, counted once in all processes. Throws 400 when it does not, or has had its answer. */
export async function takeWaiting(
  state: string,
  { kept, ownClient }: { kept: string | undefined; ownClient: string | undefined },
): Promise<Waiting> {
  const waiting = openWaiting(kept);
  if (!waiting || !isSame(state, waiting.state) || waiting.ownClient !== ownClient) throw notAwaited();
  const { count } = await takeRoom(`external:${state}`, WAITING_SECONDS, 1);
  if (count > 1) throw notAwaited();
  return waiting;
}

function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function notAwaited(): AppError {
  return new AppError('invalid', 'This browser does not wait for this answer (any more): sign in again');
}
