export type Ending = {
  /** Aborted by either. */
  signal: AbortSignal;
  /** An administrator ends the run. */
  stop(): void;
  isStopped(): boolean;
  /** The run is over. */
  release(): void;
};

/** What ends one run before its time: an administrator, or who asked for it, by `outer`; and which of both it was. */
export function createEnding(outer: AbortSignal | undefined): Ending {
  const controller = new AbortController();
  const end = () => controller.abort(outer?.reason);
  let isStopped = false;
  outer?.addEventListener('abort', end);
  if (outer?.aborted) end();
  return {
    signal: controller.signal,
    stop() {
      // It may be said again and again until the run has ended.
      isStopped ||= !controller.signal.aborted;
      controller.abort();
    },
    isStopped: () => isStopped,
    release: () => outer?.removeEventListener('abort', end),
  };
}
