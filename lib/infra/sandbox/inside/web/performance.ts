import { host } from '../host.ts';
import type { Marks } from './marks.ts';

/** `performance`, whose clock begins when it is first asked for. `load`: who keeps marks, for the few that make some. */
export function createPerformance(began: number, load: () => Marks) {
  const timeOrigin = Date.now();
  const now = () => host('now') - began;
  const made: Record<string, unknown> = { timeOrigin, now, toJSON: () => ({ timeOrigin }) };
  const names = [
    ...['mark', 'measure', 'clearMarks', 'clearMeasures'],
    ...['getEntries', 'getEntriesByName', 'getEntriesByType'],
  ] as (keyof Marks)[];
  let marks: Marks | undefined;
  const keeper = () => {
    marks ??= load();
    return marks;
  };
  for (const name of names)
    made[name] = (...args: unknown[]) => (keeper()[name] as (...args: unknown[]) => unknown)(...args);
  return Object.defineProperty(made, Symbol.toStringTag, { value: 'Performance', configurable: true });
}
