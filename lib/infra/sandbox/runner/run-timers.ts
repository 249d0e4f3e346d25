import { SANDBOX_LIMITS } from '../host/limits.ts';

export type RunTimers = {
  start(timerId: number, delayMs: number): void;
  clear(timerId: number): void;
  clearAll(): void;
};

/** The timers of one run, as many as it may have. */
export function createRunTimers(onFire: (timerId: number) => void): RunTimers {
  const timers = new Map<number, NodeJS.Timeout>();
  return { start, clear, clearAll };

  function start(timerId: number, delayMs: number): void {
    if (timers.size >= SANDBOX_LIMITS.pendingTimers) return;
    // One that a bot starts again under the same name would run on, uncounted.
    clear(timerId);
    const fire = () => {
      timers.delete(timerId);
      onFire(timerId);
    };
    // A delay past the clock never fires; Node would turn one past 2^31 into 1 ms.
    timers.set(timerId, setTimeout(fire, Math.min(delayMs, 2 ** 31 - 1)));
  }

  function clear(timerId: number): void {
    clearTimeout(timers.get(timerId));
    timers.delete(timerId);
  }

  function clearAll(): void {
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
  }
}
