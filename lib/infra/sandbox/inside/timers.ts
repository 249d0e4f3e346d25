import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';

const timers = new Map<number, () => void>();
let lastTimer = 0;

/** `setTimeout` and `clearTimeout`. The clocks run in the process and end with the run. */
export function installTimers(): void {
  Object.assign(globalThis, { setTimeout: startTimer, clearTimeout: clearTimer });
}

export function fireTimer(id: number): void {
  const callback = timers.get(id);
  timers.delete(id);
  callback?.();
}

function startTimer(callback: (...args: unknown[]) => void, delayMs?: number, ...args: unknown[]): number {
  if (typeof callback !== 'function') throw new TypeError('setTimeout needs a function');
  if (timers.size >= SANDBOX_LIMITS.pendingTimers)
    throw new RangeError(`More than ${SANDBOX_LIMITS.pendingTimers} timers`);
  lastTimer += 1;
  timers.set(lastTimer, () => callback(...args));
  host('timer', lastTimer, Math.max(0, Number(delayMs) || 0));
  return lastTimer;
}

function clearTimer(id: unknown): void {
  if (typeof id === 'number' && timers.delete(id)) host('clear', id);
}
