import {
  captureRejectionSymbol,
  checkMost,
  defaults,
  type Emitter,
  EventEmitter,
  errorMonitor,
  init,
  type Listener,
} from '../node-util/event-emitter.ts';
import { received, wrongType } from '../node-util/functions.ts';
import { shared } from './given.ts';
import { toAbortError } from './timers-promises.ts';

type Source = Emitter | EventTarget;
type Options = { signal?: AbortSignal; close?: readonly string[] };

/** Of what is no emitter. */
const mosts = new WeakMap<object, number>();

/** https://nodejs.org/api/events.html */
export const events = Object.assign(EventEmitter, {
  EventEmitter,
  addAbortListener,
  captureRejectionSymbol,
  errorMonitor,
  getEventListeners: (source: Source, name: string) =>
    isEmitter(source) ? source.listeners(name) : shared().web.listenersOf(source as never, name),
  getMaxListeners: (source: Source) =>
    isEmitter(source) ? source.getMaxListeners() : (mosts.get(source) ?? defaults.maxListeners),
  init,
  listenerCount: (source: Source, name: string) => events.getEventListeners(source, name).length,
  on,
  once,
  setMaxListeners(most = defaults.maxListeners, ...sources: Source[]): void {
    checkMost(most, 'setMaxListeners');
    if (sources.length === 0) defaults.maxListeners = most;
    for (const source of sources) {
      if (isEmitter(source)) source.setMaxListeners(most);
      else mosts.set(source, most);
    }
  },
});
Object.defineProperties(events, {
  captureRejections: {
    get: () => defaults.captureRejections,
    set: (value: boolean) => {
      defaults.captureRejections = value;
    },
    enumerable: true,
  },
  defaultMaxListeners: {
    get: () => defaults.maxListeners,
    set: (value: number) => {
      defaults.maxListeners = checkMost(value, 'defaultMaxListeners');
    },
    enumerable: true,
  },
});

// What streams import by its name.
export { EventEmitter };

function isEmitter(source: Source): source is Emitter {
  return typeof (source as Partial<Emitter>)?.on === 'function';
}

function listen(source: Source, name: string, listener: Listener): () => void {
  if (isEmitter(source)) {
    source.on(name, listener);
    return () => source.removeListener(name, listener);
  }
  const target: EventTarget = source;
  if (typeof target?.addEventListener !== 'function')
    throw wrongType(`The "emitter" argument must be an instance of EventEmitter. Received ${received(source)}`);
  target.addEventListener(name, listener);
  return () => target.removeEventListener(name, listener);
}

function addAbortListener(signal: AbortSignal, listener: () => void): Disposable {
  if (typeof signal?.addEventListener !== 'function')
    throw wrongType(`The "signal" argument must be an instance of AbortSignal. Received ${received(signal)}`);
  if (signal.aborted) queueMicrotask(listener);
  else signal.addEventListener('abort', listener, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener('abort', listener) };
}

/** What is emitted under the name next. */
async function once(source: Source, name: string, { signal }: Options = {}): Promise<unknown[]> {
  if (signal?.aborted) throw toAbortError(signal);
  const ends: (() => void)[] = [];
  try {
    return await new Promise((resolve, reject) => {
      ends.push(listen(source, name, (...args) => resolve(args)));
      if (name !== 'error' && isEmitter(source)) ends.push(listen(source, 'error', reject));
      if (signal) ends.push(listen(signal, 'abort', () => reject(toAbortError(signal))));
    });
  } finally {
    for (const end of ends) end();
  }
}

/** What is emitted under the name from now on, until `error`, one of `close`, the signal, or who asks has enough. */
function on(source: Source, name: string, { signal, close = [] }: Options = {}): AsyncIterableIterator<unknown[]> {
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
    ...(name === 'error' || !isEmitter(source) ? [] : [['error', fail] as [string, Listener]]),
  ];
  const abort = () => fail(toAbortError(signal!));
  const ends = heard.map(([each, listener]) => listen(source, each, listener));
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
    for (const stop of ends) stop();
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
