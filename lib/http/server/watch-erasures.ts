import { pace } from '#lib/base/pace.ts';
import { runErasures } from '#lib/domain/record-erasure/run-erasures.ts';
import { lookAgain } from './look-again.ts';

const CTX = { requestId: 'record-erasures', remoteAddress: '', userAgent: '' };

/** Goes on with erasures of records, also with those that a killed process left. Returns what stops it. */
export function startErasures(): () => Promise<void> {
  return lookAgain(pace.erasureWatchMs, 'erasures could not be looked for', (signal) => runErasures(CTX, signal));
}
