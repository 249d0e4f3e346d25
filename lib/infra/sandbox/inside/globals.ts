import { createConsole } from './console/console.ts';
import { GLOBALS, type GlobalName, OF_EXTRAS, OF_TIMERS, OF_WEB } from './global-names.ts';
import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { loadNode } from './load-node.ts';
import { isLoadingWeb, loadWeb } from './load-web.ts';
import { createProcess } from './node/own-process.ts';
import { defineProperty } from './primordials.ts';
import { createTimers } from './timers.ts';
import { createPerformance } from './web/performance.ts';

/** Which are made together; what a bot does to lists does nothing to it. */
const kinds: { [name: string]: 'web' | 'extra' | 'timer' } = Object.create(null);
for (const name of OF_WEB) kinds[name] = 'web';
for (const name of OF_EXTRAS) kinds[name] = 'extra';
for (const name of OF_TIMERS) kinds[name] = 'timer';
/** As they were made. */
const known: { [name: string]: unknown } = Object.create(null);

/**
 * Takes away what outlives a run or escapes its limits: WebAssembly and shared memory are not counted against the isolate's memory; finalizers
 * run outside the clock. Once in every context: V8 puts some of them into each that it makes, whatever the snapshot says.
 */
export function removeGlobals(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry']) {
    delete (globalThis as Record<string, unknown>)[name];
  }
}

/**
 * Adds what V8 alone lacks, each made when first asked for, and the bot's to replace: what stands in the snapshot is copied into every context, some tenths of a
 * microsecond for each function. So these have none of their own, but two that are bound to their names.
 */
export function installGlobals(): void {
  for (const name of GLOBALS) {
    define(name, { get: get.bind(undefined, name), set: put.bind(undefined, name) });
  }
  // As Node has it: programs look here for what they run on.
  define('global', { value: globalThis, writable: true });
}

function get(name: GlobalName): unknown {
  const value = known[name] ?? makeGlobal(name);
  if (value === undefined) return undefined;
  known[name] = value;
  try {
    put(name, value);
  } catch {
    // The bot has frozen what stands there.
  }
  return value;
}

function put(name: string, value: unknown): void {
  define(name, { value, writable: true });
}

/** What a bot puts into `Object.prototype` says nothing of it. */
function define(name: string, property: PropertyDescriptor): void {
  const whole = { __proto__: null, ...property, configurable: true, enumerable: kinds[name] === 'timer' };
  defineProperty(globalThis, name, whole);
}

/** Undefined while it is being made: packages look for what stands already. */
function makeGlobal(name: GlobalName): unknown {
  switch (kinds[name]) {
    case 'web':
      return isLoadingWeb() ? undefined : loadWeb().globals[name as (typeof OF_WEB)[number]];
    case 'extra':
      return loadExtras().globals[name as (typeof OF_EXTRAS)[number]];
    case 'timer':
      return timers()[name as (typeof OF_TIMERS)[number]];
  }
  switch (name) {
    case 'Buffer':
      return loadNode(ownProcess())('buffer').Buffer;
    case 'CompressionStream':
    case 'DecompressionStream':
      return loadNode(ownProcess())('compression-streams')[name];
    case 'console':
      return createConsole();
    case 'crypto':
      return withSubtle();
    case 'performance':
      return createPerformance(host('now'), () =>
        loadExtras().createMarks(() => (globalThis.performance as Performance).now()),
      );
    case 'process':
      return ownProcess();
    case 'queueMicrotask':
      return queueMicrotask;
  }
}

let madeTimers: ReturnType<typeof createTimers> | undefined;

function timers(): ReturnType<typeof createTimers> {
  madeTimers ??= createTimers();
  return madeTimers;
}

let madeProcess: object | undefined;

/** The same by import, and a bot may put more into it. */
export function ownProcess(): object {
  madeProcess ??= createProcess();
  return madeProcess;
}

function withSubtle(): unknown {
  const subtle = { get: () => loadWeb().subtle, enumerable: true, configurable: true };
  return Object.defineProperty(loadExtras().globals.crypto, 'subtle', subtle);
}

function queueMicrotask(callback: () => void): void {
  if (typeof callback !== 'function') {
    const error = new TypeError('The "callback" argument must be of type function');
    throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
  }
  void Promise.resolve().then(() => callback());
}
