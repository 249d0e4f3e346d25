import polyfill from 'events/';

type Emitter = InstanceType<typeof polyfill>;
type Listener = (...args: unknown[]) => void;
type Options = { signal?: AbortSignal; close?: readonly string[] };

/** https://nodejs.org/api/events.html, by its polyfill, with what that lacks: of emitters alone, and not of an EventTarget. */
export const events = Object.assign(polyfill, {
  addAbortListener,
  getEventListeners: (emitter: Emitter, name: string) => emitter.listeners(name),
  getMaxListeners: (emitter: Emitter) => emitter.getMaxListeners(),
  on,
  setMaxListeners(most: number, ...emitters: Emitter[]): void {
    if (emitters.length === 0) polyfill.defaultMaxListeners = most;
    for (const emitter of emitters) emitter.setMaxListeners(most);
  },
});

function addAbortListener(signal: AbortSignal, listener: () => void): Disposable {
  if (signal.aborted) queueMicrotask(listener);
  else signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** What is emitted under the name, as it comes, until `error`, one of `close`, the signal, or who asks has enough. */
async function* on(emitter: Emitter, name: string, { signal, close = [] }: Options = {}): AsyncGenerator<unknown[]> {
  signal?.throwIfAborted();
  const came: unknown[][] = [];
  let end: { error: unknown } | 'closed' | undefined;
  let wake = () => {};
  const hear = (told: () => void): Listener => {
    return (...args) => {
      if (told === noted) came.push(args);
      else told();
      wake();
    };
  };
  const noted = () => {};
  const stop = () => {
    end ??= 'closed';
  };
  const fail: Listener = (error) => {
    end ??= { error };
    wake();
  };
  const heard: [string, Listener][] = [
    [name, hear(noted)],
    ...close.map((each): [string, Listener] => [each, hear(stop)]),
    ...(name === 'error' ? [] : [['error', fail] as [string, Listener]]),
  ];
  for (const [each, listener] of heard) emitter.on(each, listener);
  const abort = () => fail(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      while (came.length > 0) yield came.shift()!;
      if (end === 'closed') return;
      if (end) throw end.error;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    for (const [each, listener] of heard) emitter.off(each, listener);
    signal?.removeEventListener('abort', abort);
  }
}
