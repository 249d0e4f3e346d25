import { loadExtras } from './load-extras.ts';

const ADDED = [
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'btoa',
  'crypto',
  'structuredClone',
] as const;

/**
 * Takes away what outlives a run or escapes its limits, and adds the Web functions that V8 alone lacks.
 * WebAssembly and shared memory are not counted against the isolate's memory; finalizers run outside the clock.
 */
export function installGlobals(): void {
  for (const name of ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry']) {
    delete (globalThis as Record<string, unknown>)[name];
  }
  define('queueMicrotask', { value: queueMicrotask, writable: true });
  for (const name of ADDED) {
    const get = () => loadExtras().globals[name];
    define(name, { get, set: (value: unknown) => define(name, { value, writable: true }) });
  }
}

function define(name: string, property: PropertyDescriptor): void {
  Object.defineProperty(globalThis, name, { ...property, configurable: true, enumerable: false });
}

function queueMicrotask(callback: () => void): void {
  void Promise.resolve().then(() => callback());
}
