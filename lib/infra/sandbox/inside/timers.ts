import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';

const timers: { [id: number]: () => void } = Object.create(null);
let count = 0;
let lastTimer = 0;

type Callback = (...args: unknown[]) => void;

/** What Node gives for a timer: an object that is a number where one is asked for. A run ends with its handler, whatever still waits. */
class Timeout {
  readonly id: number;
  #isHeld = true;
  #again: () => void;

  constructor(id: number, again: () => void) {
    this.id = id;
    this.#again = again;
  }

  ref(): this {
    this.#isHeld = true;
    return this;
  }

  unref(): this {
    this.#isHeld = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isHeld;
  }

  /** From now on as long as at first. */
  refresh(): this {
    clearTimer(this);
    this.#again();
    return this;
  }

  [Symbol.dispose](): void {
    clearTimer(this);
  }

  close(): this {
    clearTimer(this);
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }
}

/** `setTimeout` and its kin. The clocks run in the process and end with the run. */
export function createTimers() {
  return {
    setTimeout: (callback: Callback, delayMs?: number, ...args: unknown[]) => once(callback, delayMs, args),
    setImmediate: (callback: Callback, ...args: unknown[]) => once(callback, 0, args),
    setInterval: startInterval,
    clearTimeout: clearTimer,
    clearInterval: clearTimer,
    clearImmediate: clearTimer,
  };
}

export function fireTimer(id: number): void {
  const callback = timers[id];
  if (forget(id)) callback?.();
}

function once(callback: Callback, delayMs: number | undefined, args: unknown[]): Timeout {
  const id = newTimer(callback);
  const begin = () => start(id, () => callback(...args), delayMs);
  begin();
  return new Timeout(id, begin);
}

function startInterval(callback: Callback, delayMs?: number, ...args: unknown[]): Timeout {
  const id = newTimer(callback);
  const fire = () => {
    // Before the callback, which may clear it.
    start(id, fire, Math.max(1, Number(delayMs) || 1));
    callback(...args);
  };
  const begin = () => start(id, fire, Math.max(1, Number(delayMs) || 1));
  begin();
  return new Timeout(id, begin);
}

function newTimer(callback: Callback): number {
  if (typeof callback !== 'function') throw new TypeError('setTimeout needs a function');
  if (count >= SANDBOX_LIMITS.pendingTimers) throw new RangeError(`More than ${SANDBOX_LIMITS.pendingTimers} timers`);
  lastTimer += 1;
  return lastTimer;
}

function start(id: number, fire: () => void, delayMs: number | undefined): void {
  timers[id] = fire;
  count += 1;
  host('timer', id, Math.max(0, Number(delayMs) || 0));
}

function clearTimer(timer: unknown): void {
  const id = timer instanceof Timeout ? timer.id : Number(timer);
  if (forget(id)) host('clear', id);
}

function forget(id: number): boolean {
  if (!timers[id]) return false;
  delete timers[id];
  count -= 1;
  return true;
}
