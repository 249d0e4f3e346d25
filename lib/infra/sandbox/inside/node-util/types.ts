import { shared } from '../node/given.ts';

const { types: same, typedArrayName } = shared().inspect();
const { isGeneratorObject } = same;

const isTyped = (name: string) => (value: unknown) => typedArrayName(value) === name;
const isTagged = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'function' && pattern.test(Object.prototype.toString.call(value));
const isOf = (name: string) => (value: unknown) => {
  const Class = (globalThis as Record<string, unknown>)[name];
  return typeof Class === 'function' && value instanceof Class;
};

const typed = Object.fromEntries(
  [
    'Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array',
    'Float16Array Float32Array Float64Array BigInt64Array BigUint64Array',
  ]
    .join(' ')
    .split(' ')
    .map((name) => [`is${name}`, isTyped(name)]),
);

/** https://nodejs.org/api/util.html#utiltypes, but what only V8 knows: whether something is a Proxy. */
export const types = {
  ...same,
  ...typed,
  isArrayBufferView: ArrayBuffer.isView,
  isAsyncFunction: isTagged(/^\[object Async(?:Generator)?Function\]$/),
  isCryptoKey: isOf('CryptoKey'),
  isExternal: () => false,
  isGeneratorFunction: isTagged(/^\[object (?:Async)?GeneratorFunction\]$/),
  isGeneratorObject: (value: unknown) =>
    isGeneratorObject(value) || Object.prototype.toString.call(value) === '[object AsyncGenerator]',
  isModuleNamespaceObject: (value: unknown) => Object.prototype.toString.call(value) === '[object Module]',
  // A bot has no shared memory.
  isSharedArrayBuffer: () => false,
  isTypedArray: (value: unknown) => typedArrayName(value) !== undefined,
};
