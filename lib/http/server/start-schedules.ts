import { pace } from '#lib/base/pace.ts';
import { fireSchedules } from '#lib/domain/triggers/fire-schedules.ts';
import { lookAgain } from './look-again.ts';

/** Runs bots at their times, from now on. Returns what stops it. */
export function startSchedules(): () => Promise<void> {
  return lookAgain(pace.cronWatchMs, 'times of bots could not be looked for', fireSchedules);
}
