import { shared } from '../node/given.ts';
import { checkFunction } from './functions.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is emitted is of its emitter
type Args = any[];
export type Listener = ((...args: Args) => unknown) & { listener?: Listener };
type Adds = (name: PropertyKey, listener: Listener) => Emitter;
export type Emitter = {
  _events?: Record<PropertyKey, Listener[] | undefined>;
  _eventsCount: number;
  _maxListeners?: number;
  [CAPTURES]?: boolean;
  [captureRejectionSymbol]?: (error: unknown, name: PropertyKey, ...args: Args) => void;
  setMaxListeners(most: number): Emitter;
  getMaxListeners(): number;
  emit(name: PropertyKey, ...args: Args): boolean;
  on: Adds;
  addListener: Adds;
  prependListener: Adds;
  once: Adds;
  prependOnceListener: Adds;
  off: Adds;
  removeListener: Adds;
  removeAllListeners(...names: PropertyKey[]): Emitter;
  listeners(name: PropertyKey): Listener[];
  rawListeners(name: PropertyKey): Listener[];
  listenerCount(name: PropertyKey, listener?: Listener): number;
  eventNames(): PropertyKey[];
};
type Options = { captureRejections?: boolean };

export const captureRejectionSymbol: unique symbol = Symbol.for('nodejs.rejection') as never;
export const errorMonitor: unique symbol = Symbol('events.errorMonitor') as never;
const CAPTURES: unique symbol = Symbol('kCapture') as never;

/** For all that say nothing of it themselves. */
export const defaults = { captureRejections: false, maxListeners: 10 };

/** https://nodejs.org/api/events.html#class-eventemitter. No class: what is older calls it as a function. */
export function EventEmitter(this: Emitter, options?: Options): void {
  init.call(this, options);
}

export function init(this: Emitter, options?: Options): void {
  if (!this._events || this._events === Object.getPrototypeOf(this)._events) {
    this._events = Object.create(null);
    this._eventsCount = 0;
  }
  this._maxListeners ||= undefined;
  if (options?.captureRejections ?? defaults.captureRejections) this[CAPTURES] = true;
}

const methods: Omit<Emitter, '_events' | '_eventsCount' | '_maxListeners'> & ThisType<Emitter> = {
  setMaxListeners(most) {
    this._maxListeners = checkMost(most, 'setMaxListeners');
    return this;
  },
  getMaxListeners() {
    return this._maxListeners ?? defaults.maxListeners;
  },
  emit(name, ...args) {
    if (name === 'error') {
      if (this._events?.[errorMonitor]) this.emit(errorMonitor, ...args);
      if (!this._events?.error) throw unheard(args);
    }
    const listeners = this._events?.[name];
    if (!listeners) return false;
    for (const listener of [...listeners]) {
      const result = listener.apply(this, args);
      if (this[CAPTURES] && result !== undefined && result !== null) capture(this, result, name, args);
    }
    return true;
  },
  on(name, listener) {
    return add(this, name, listener, false);
  },
  addListener(name, listener) {
    return add(this, name, listener, false);
  },
  prependListener(name, listener) {
    return add(this, name, listener, true);
  },
  once(name, listener) {
    return this.on(name, onlyOnce(this, name, listener));
  },
  prependOnceListener(name, listener) {
    return this.prependListener(name, onlyOnce(this, name, listener));
  },
  off(name, listener) {
    return remove(this, name, listener);
  },
  removeListener(name, listener) {
    return remove(this, name, listener);
  },
  removeAllListeners(...names) {
    // Who listens for that is told of each, and is the last to go.
    const others = this.eventNames().filter((name) => name !== 'removeListener');
    for (const name of names.length > 0 ? names : [...others, 'removeListener'])
      for (const one of this.rawListeners(name).reverse()) this.removeListener(name, one);
    return this;
  },
  listeners(name) {
    return (this._events?.[name] ?? []).map((each) => each.listener ?? each);
  },
  rawListeners(name) {
    return [...(this._events?.[name] ?? [])];
  },
  listenerCount(name, listener) {
    const all = this._events?.[name] ?? [];
    return listener ? all.filter((each) => each === listener || each.listener === listener).length : all.length;
  },
  eventNames() {
    return this._events ? Reflect.ownKeys(this._events) : [];
  },
};

Object.assign(EventEmitter.prototype, { _events: undefined, _eventsCount: 0, _maxListeners: undefined });
for (const [name, value] of Object.entries(methods))
  Object.defineProperty(EventEmitter.prototype, name, { value, enumerable: true, writable: true, configurable: true });

function add(emitter: Emitter, name: PropertyKey, listener: Listener, isFirst: boolean): Emitter {
  checkFunction(listener, 'listener');
  if (!emitter._events) {
    emitter._events = Object.create(null);
    emitter._eventsCount = 0;
  }
  if (emitter._events!.newListener) emitter.emit('newListener', name, listener.listener ?? listener);
  const all = emitter._events![name] ?? [];
  if (all.length === 0) emitter._eventsCount += 1;
  if (isFirst) all.unshift(listener);
  else all.push(listener);
  emitter._events![name] = all;
  const most = emitter.getMaxListeners();
  if (most > 0 && all.length === most + 1) warn(emitter, name, all.length, most);
  return emitter;
}

function remove(emitter: Emitter, name: PropertyKey, listener: Listener): Emitter {
  checkFunction(listener, 'listener');
  const all = emitter._events?.[name];
  const at = all?.findLastIndex((each) => each === listener || each.listener === listener) ?? -1;
  if (at < 0) return emitter;
  const [removed] = all!.splice(at, 1);
  if (all!.length === 0) {
    delete emitter._events![name];
    emitter._eventsCount -= 1;
  }
  if (emitter._events!.removeListener) emitter.emit('removeListener', name, removed!.listener ?? listener);
  return emitter;
}

function onlyOnce(emitter: Emitter, name: PropertyKey, listener: Listener): Listener {
  checkFunction(listener, 'listener');
  let isOver = false;
  const once: Listener = (...args) => {
    if (isOver) return undefined;
    isOver = true;
    emitter.removeListener(name, once);
    return listener.apply(emitter, args);
  };
  once.listener = listener;
  return once;
}

/** What a listener's promise fails with is the emitter's error. */
function capture(emitter: Emitter, result: unknown, name: PropertyKey, args: Args): void {
  const { then } = result as PromiseLike<unknown>;
  if (typeof then !== 'function') return;
  then.call(result as PromiseLike<unknown>, undefined, (error: unknown) =>
    process.nextTick(() => {
      const own = emitter[captureRejectionSymbol];
      if (typeof own === 'function') return own.call(emitter, error, name, ...args);
      // What listeners of that do is not captured again.
      emitter[CAPTURES] = false;
      try {
        emitter.emit('error', error);
      } finally {
        emitter[CAPTURES] = true;
      }
    }),
  );
}

function unheard([error]: Args): unknown {
  if (error instanceof Error) return error;
  const told = new Error(`Unhandled error. (${shared().inspect().inspect(error)})`);
  return Object.assign(told, { context: error, code: 'ERR_UNHANDLED_ERROR' });
}

function warn(emitter: Emitter, name: PropertyKey, count: number, most: number): void {
  const text = `Possible EventEmitter memory leak detected. ${count} ${String(name)} listeners added to [${emitter.constructor?.name}]. MaxListeners is ${most}. Use emitter.setMaxListeners() to increase limit`;
  process.emitWarning(text, 'MaxListenersExceededWarning');
}

export function checkMost(most: number, name: string): number {
  if (typeof most === 'number' && most >= 0) return most;
  const error = new RangeError(`The value of "${name}" is out of range. It must be >= 0. Received ${String(most)}`);
  throw Object.assign(error, { code: 'ERR_OUT_OF_RANGE' });
}
