import type { RunState } from './bots.ts';

/** From this share of failed runs on a bot fails, whatever its newest run says. */
const TOO_MANY = 0.1;

/** Whether a bot is to be looked at, by its runs of the last 24 hours. `last`: how its newest run ended that was not cut off. */
export function isFailing({ runs, failed, last }: { runs: number; failed: number; last: RunState | null }): boolean {
  return runs > 0 && ((last !== null && last !== 'ok') || failed / runs >= TOO_MANY);
}
