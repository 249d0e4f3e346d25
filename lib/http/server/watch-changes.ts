import { pace } from '#lib/base/pace.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';
import { lookAgain } from './look-again.ts';

const CTX = { requestId: 'account-changes', remoteAddress: '', userAgent: '' };

/** Makes the changes of accounts that have waited long enough: a process that starts finds those of the ones before. Returns what stops it. */
export function startChanges(): () => Promise<void> {
  return lookAgain(pace.changeWatchMs, 'changes of accounts could not be looked for', (signal) =>
    applyDueChanges(CTX, signal),
  );
}
