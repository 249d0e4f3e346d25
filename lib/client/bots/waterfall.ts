import type { RunCall } from '#lib/protocol/bots/runs/bot-runs.ts';

/** One call on the time of its run: where its bar begins, and how wide it is, in percent. */
export type Bar = { call: RunCall; left: number; width: number };

const NARROWEST = 1;

/** In the order in which they began. What was still under way when the run ended goes to its end, and no bar is too narrow to be seen. */
export function toWaterfall(calls: readonly RunCall[], durationMs: number): Bar[] {
  const whole = Math.max(durationMs, ...calls.map(({ startMs }) => startMs), 1);
  return calls
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((call) => {
      const left = Math.min((call.startMs / whole) * 100, 100 - NARROWEST);
      const width = Math.min(Math.max((call.durationMs / whole) * 100, NARROWEST), 100 - left);
      return { call, left, width };
    });
}

const MOST_DENIED = 5;

/** What a run asked us for and its rights did not allow, each once; not what other servers refused. */
export function toDenied(calls: readonly RunCall[]): string[] {
  const denied = calls.filter(({ method, status }) => status === 403 && method !== 'fetch');
  return [...new Set(denied.map(({ method, target }) => (target ? `${method} ${target}` : method)))].slice(
    0,
    MOST_DENIED,
  );
}

/** What a run wrote, each version once, in the order in which it did. */
export function toWritten(calls: readonly RunCall[]): string[] {
  return [...new Set(calls.flatMap(({ wrote }) => wrote ?? []))];
}
