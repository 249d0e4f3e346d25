import type { CanaryFigures } from '#lib/protocol/bots/canary.ts';

/** It is looked at after each failure, so by chance alone it must not be found in one look of a thousand. */
const BY_CHANCE = 0.001;
/** Fewer failures say nothing. */
const FEWEST = 3;
/** Failures one after the other that need no comparison, unless what is live has failed about as often meanwhile. */
const IN_ROW = 5;

/**
 * Whether the version that is tried fails more often than the live one: where so many failures among its runs would come by chance, of the runs of both,
 * less than once in a thousand times (Fisher's exact test, one-sided), or five runs have failed one after the other while the live one mostly did well.
 */
export function failsMore({ canary, live, meanwhile = live }: CanaryFigures): boolean {
  if (canary.failedInRow >= IN_ROW && meanwhile.failed * 2 <= meanwhile.runs) return true;
  return canary.failed >= FEWEST && chanceOf({ canary, live }) < BY_CHANCE;
}

/** That so many of all failures or more would fall to the canary, if it made no difference on what they ran. */
function chanceOf({ canary, live }: Pick<CanaryFigures, 'canary' | 'live'>): number {
  const [runs, failed] = [canary.runs + live.runs, canary.failed + live.failed];
  const logs = logFactorials(runs);
  const logChoose = (n: number, k: number) => logs[n]! - logs[k]! - logs[n - k]!;
  let chance = 0;
  for (let k = canary.failed; k <= Math.min(canary.runs, failed); k++) {
    if (runs - failed < canary.runs - k) continue;
    chance += Math.exp(logChoose(failed, k) + logChoose(runs - failed, canary.runs - k) - logChoose(runs, canary.runs));
  }
  return chance;
}

function logFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let k = 2; k <= n; k++) logs[k] = logs[k - 1]! + Math.log(k);
  return logs;
}
