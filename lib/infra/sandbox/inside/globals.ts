import { createConsole } from './console.ts';
import { GLOBALS, type GlobalName, OF_EXTRAS, OF_TIMERS, OF_WEB } from './global-names.ts';
import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { loadNode } from './load-node.ts';
import { loadWeb } from './load-web.ts';
import { createProcess } from './node/own-process.ts';
import { defineProperty } from './primordials.ts';
import { createTimers } from './timers.ts';
import { createPerformance } from './web/performance.ts';

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
  const value = makeGlobal(name);
  if (value !== undefined) put(name, value);
  return value;
}

function put(name: string, value: unknown): void {
  define(name, { value, writable: true });
}

function define(name: string, property: PropertyDescriptor): void {
  defineProperty(globalThis, name, { ...property, configurable: true, enumerable: isOne(OF_TIMERS, name) });
}

/** Undefined while it is being made: packages look for what stands already. */
function makeGlobal(name: GlobalName): unknown {
  if (isOne(OF_WEB, name)) return ofWeb(name);
  if (isOne(OF_EXTRAS, name)) return loadExtras().globals[name];
  if (isOne(OF_TIMERS, name)) return timers()[name];
  switch (name) {
    case 'Buffer':
      return loadNode(ownProcess())('buffer').Buffer;
    case 'console':
      return createConsole();
    case 'crypto':
      return withSubtle();
    case 'performance':
      return createPerformance(host('now'));
    case 'process':
      return ownProcess();
    case 'queueMicrotask':
      return queueMicrotask;
  }
}

function isOne<Name extends string>(names: readonly Name[], name: string): name is Name {
  return names.includes(name as Name);
}

let isMaking = false;

function ofWeb(name: (typeof OF_WEB)[number]): unknown {
  if (isMaking) return undefined;
  isMaking = true;
  try {
    return loadWeb().globals[name];
  } finally {
    isMaking = false;
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
  void Promise.resolve().then(() => callback());
}
