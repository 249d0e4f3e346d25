import { host } from '../host.ts';

/** `performance`, whose clock begins when it is first asked for. */
export function createPerformance(began: number) {
  return { timeOrigin: Date.now(), now: () => host('now') - began };
}
