import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';

const timers: { [id: number]: () => void } = Object.create(null);
let count = 0;
let lastTimer = 0;

/** `setTimeout` and `clearTimeout`. The clocks run in the process and end with the run. */
export function installTimers(): void {
  Object.assign(globalThis, { setTimeout: startTimer, clearTimeout: clearTimer });
}

export function fireTimer(id: number): void {
  const callback = timers[id];
  if (forget(id)) callback?.();
}

function startTimer(callback: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]): number {
  if (typeof callback !== 'function') throw new TypeError('setTimeout needs a function');
  if (count >= SANDBOX_LIMITS.pendingTimers) throw new RangeError(`More than ${SANDBOX_LIMITS.pendingTimers} timers`);
  lastTimer += 1;
  timers[lastTimer] = () => callback(...args);
  count += 1;
  host('timer', lastTimer, Math.max(0, Number(delayMs) || 0));
  return lastTimer;
}

function clearTimer(id: unknown): void {
  if (typeof id === 'number' && forget(id)) host('clear', id);
}

function forget(id: number): boolean {
  if (!timers[id]) return false;
  delete timers[id];
  count -= 1;
  return true;
}
