import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { applyDueChanges } from '#lib/domain/people/apply-change.ts';

const CTX = { requestId: 'account-changes', remoteAddress: '', userAgent: '' };

/** Makes the changes of accounts that have waited long enough: a process that starts finds those of the ones before. Returns what stops it. */
export function startChanges(): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= applyDueChanges(CTX, stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, 'changes of accounts could not be looked for'))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, pace.changeWatchMs).unref();
  look();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
