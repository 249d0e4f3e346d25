import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { loadNode } from './load-node.ts';
import { loadWeb } from './load-web.ts';
import * as own from './node/process.ts';
import { createPerformance } from './web/performance.ts';

const OF_EXTRAS = ['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'structuredClone'] as const;

const OF_WEB = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'CryptoKey',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoderStream',
  'TextEncoderStream',
  'TransformStream',
  'WritableStream',
  'fetch',
] as const;

/**
 * Takes away what outlives a run or escapes its limits: WebAssembly and shared memory are not counted against the isolate's memory; finalizers
 * run outside the clock. Once in every context: V8 puts some of them into each that it makes, whatever the snapshot says.
 */
export function removeGlobals(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry']) {
    delete (globalThis as Record<string, unknown>)[name];
  }
}

/** Adds the Web functions that V8 alone lacks. */
export function installGlobals(): void {
  define('queueMicrotask', { value: queueMicrotask, writable: true });
  for (const name of OF_EXTRAS) later(name, () => loadExtras().globals[name]);
  for (const name of OF_WEB) later(name, () => ofWeb(name));
  later('crypto', withSubtle);
  later('Buffer', () => loadNode(ownProcess())('buffer').Buffer);
  // As Node has them: programs look here for what they run on, and find nothing of the server.
  define('global', { value: globalThis, writable: true });
  later('process', ownProcess);
  later('performance', () => createPerformance(host('now')));
}

let isMaking = false;

/** While it is being made it is not there: packages look for what stands already. */
function ofWeb(name: (typeof OF_WEB)[number]): unknown {
  if (isMaking) return undefined;
  isMaking = true;
  try {
    return loadWeb().globals[name];
  } finally {
    isMaking = false;
  }
}

let madeProcess: object | undefined;

/** The same by import, and a bot may put more into it. */
export function ownProcess(): object {
  madeProcess ??= { ...own };
  return madeProcess;
}

function withSubtle(): unknown {
  const subtle = { get: () => loadWeb().subtle, enumerable: true, configurable: true };
  return Object.defineProperty(loadExtras().globals.crypto, 'subtle', subtle);
}

/** Made when first asked for, and the bot's to replace. */
function later(name: string, make: () => unknown): void {
  const put = (value: unknown) => define(name, { value, writable: true });
  const get = () => {
    const value = make();
    if (value !== undefined) put(value);
    return value;
  };
  define(name, { get, set: put });
}

function define(name: string, property: PropertyDescriptor): void {
  Object.defineProperty(globalThis, name, { ...property, configurable: true, enumerable: false });
}

function queueMicrotask(callback: () => void): void {
  void Promise.resolve().then(() => callback());
}
