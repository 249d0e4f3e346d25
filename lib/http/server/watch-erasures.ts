import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { runErasures } from '#lib/domain/record-erasure/run-erasures.ts';

const CTX = { requestId: 'record-erasures', remoteAddress: '', userAgent: '' };

/** Goes on with erasures of records, also with those that a killed process left. Returns what stops it. */
export function startErasures(): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= runErasures(CTX, stopping.signal)
      .catch((error: unknown) => log.warn({ err: error }, 'erasures could not be looked for'))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, pace.erasureWatchMs).unref();
  look();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
