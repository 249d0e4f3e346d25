import polyfill from 'events/';

type Emitter = InstanceType<typeof polyfill>;
type Listener = (...args: unknown[]) => void;
type Options = { signal?: AbortSignal; close?: readonly string[] };

const { once: onceForever } = polyfill;

/** https://nodejs.org/api/events.html, by its polyfill, with what that lacks: of emitters alone, and not of an EventTarget. */
export const events = Object.assign(polyfill, {
  addAbortListener,
  getEventListeners: (emitter: Emitter, name: string) => emitter.listeners(name),
  getMaxListeners: (emitter: Emitter) => emitter.getMaxListeners(),
  on,
  once,
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

/** What is emitted under the name next. */
function once(emitter: Emitter | EventTarget, name: string, { signal }: Options = {}): Promise<unknown[]> {
  if (!signal) return onceForever(emitter as Emitter, name);
  if (signal.aborted) return Promise.reject(toAbortError(signal));
  return new Promise((resolve, reject) => {
    const abort = () => reject(toAbortError(signal));
    signal.addEventListener('abort', abort, { once: true });
    onceForever(emitter as Emitter, name)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}

/** What is emitted under the name from now on, until `error`, one of `close`, the signal, or who asks has enough. */
function on(emitter: Emitter, name: string, { signal, close = [] }: Options = {}): AsyncIterableIterator<unknown[]> {
  if (signal?.aborted) throw toAbortError(signal);
  const came: unknown[][] = [];
  let waiting: PromiseWithResolvers<IteratorResult<unknown[]>>[] = [];
  let end: { error?: unknown } | undefined;
  const over = { value: undefined, done: true } as const;
  const hear = (...args: unknown[]) => {
    const first = waiting.shift();
    if (first) first.resolve({ value: args, done: false });
    else came.push(args);
  };
  const fail = (error: unknown) => finish({ error });
  const heard: [string, Listener][] = [
    [name, hear],
    ...close.map((each): [string, Listener] => [each, () => finish({})]),
    ...(name === 'error' ? [] : [['error', fail] as [string, Listener]]),
  ];
  const abort = () => fail(toAbortError(signal!));
  for (const [each, listener] of heard) emitter.on(each, listener);
  signal?.addEventListener('abort', abort);
  return {
    next() {
      const args = came.shift();
      if (args) return Promise.resolve({ value: args, done: false });
      if (end) return settle();
      const asked = Promise.withResolvers<IteratorResult<unknown[]>>();
      waiting.push(asked);
      return asked.promise;
    },
    return() {
      finish({});
      came.length = 0;
      return Promise.resolve(over);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };

  function finish(how: { error?: unknown }): void {
    if (end) return;
    end = how;
    for (const [each, listener] of heard) emitter.off(each, listener);
    signal?.removeEventListener('abort', abort);
    for (const asked of waiting) settle().then(asked.resolve, asked.reject);
    waiting = [];
  }

  /** What it ended with, once. */
  function settle(): Promise<IteratorResult<unknown[]>> {
    if (!end || !('error' in end)) return Promise.resolve(over);
    const { error } = end;
    end = {};
    return Promise.reject(error);
  }
}

function toAbortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}
