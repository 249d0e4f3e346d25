import { pace } from '#lib/base/pace.ts';
import { tellAlerts } from '#lib/domain/run-log/alerts/tell-alerts.ts';
import { lookAgain } from './look-again.ts';

/** Tells administrators of bots that do not do well, from now on. Returns what stops it. */
export function startAlerts(): () => Promise<void> {
  return lookAgain(pace.alertWatchMs, 'it could not be looked how bots do', tellAlerts);
}
