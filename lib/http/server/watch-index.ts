import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { raiseIndex } from '#lib/domain/store/indexes/raise-index.ts';

/**
 * Indexes anew what the release before has stored, when it no longer serves: it would store more without the new entries. Tries again while another
 * process is at it, which may be killed. Returns what stops it.
 */
export function startIndexing(): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const look = () => {
    running ??= raiseIndex(stopping.signal)
      .then(() => clearInterval(timer))
      .catch((error: unknown) => {
        const isOthers = error instanceof AppError && error.code === 'conflict';
        if (!isOthers) log.warn({ err: error }, 'what is stored could not be indexed anew');
      })
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(look, pace.rollOutMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
