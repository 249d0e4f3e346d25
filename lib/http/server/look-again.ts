import { log } from '#lib/base/log.ts';

/** Looks at once and then every so often, never twice at a time; what fails is logged as `failed`. Returns what stops it, and waits for it. */
export function lookAgain(
  everyMs: number,
  failed: string,
  look: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= look(stopping.signal)
      .then(() => undefined)
      .catch((error: unknown) => log.warn({ err: error }, failed))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(run, everyMs).unref();
  run();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
