import { callbackify, deprecate, inherits, makeDebuglog, promisify } from '../node-util/functions.ts';
import { parseArgs } from '../node-util/parse-args.ts';
import { makeStyleText } from '../node-util/style-text.ts';
import { types } from '../node-util/types.ts';
import { shared } from './given.ts';

const { TextDecoder, TextEncoder } = globalThis;
const { format, formatWithOptions, inspect, stripVTControlCharacters } = shared().inspect();

const { setTimeout, setImmediate } = globalThis;
// Their callback is the first that they are given.
Object.defineProperty(setTimeout, promisify.custom, {
  value: (delayMs?: number, value?: unknown) => new Promise((resolve) => setTimeout(resolve, delayMs, value)),
});
Object.defineProperty(setImmediate, promisify.custom, {
  value: (value?: unknown) => new Promise((resolve) => setImmediate(resolve, value)),
});

const debuglog = makeDebuglog(format);
const isObject = (value: unknown) => value !== null && typeof value === 'object';
const isFunction = (value: unknown) => typeof value === 'function';
const isOf = (type: string) => (value: unknown) => typeof value === type;

/** What Node had until 23. */
const old = {
  isArray: Array.isArray,
  isBoolean: isOf('boolean'),
  isBuffer: (value: unknown) => globalThis.Buffer.isBuffer(value),
  isDate: types.isDate,
  isError: (value: unknown) => types.isNativeError(value) || value instanceof Error,
  isFunction,
  isNull: (value: unknown) => value === null,
  isNullOrUndefined: (value: unknown) => value === null || value === undefined,
  isNumber: isOf('number'),
  isObject,
  isPrimitive: (value: unknown) => !isObject(value) && !isFunction(value),
  isRegExp: types.isRegExp,
  isString: isOf('string'),
  isSymbol: isOf('symbol'),
  isUndefined: isOf('undefined'),
  // biome-ignore lint/suspicious/noConsole: it is the bot's own log
  log: (...args: unknown[]) => console.log('%s - %s', new Date().toISOString(), format(...args)),
  _extend: (target: object, source: unknown) => (isObject(source) ? Object.assign(target, source) : target),
};

/** By the same comparison as `assert.deepStrictEqual`, which asks for this module. */
function isDeepStrictEqual(a: unknown, b: unknown): boolean {
  try {
    require('assert/').deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
}

/** https://nodejs.org/api/util.html */
export const util = {
  ...{ callbackify, debug: debuglog, debuglog, deprecate, format, formatWithOptions, inherits, inspect, parseArgs },
  ...{ promisify, stripVTControlCharacters, TextDecoder, TextEncoder, types },
  isDeepStrictEqual,
  styleText: makeStyleText(inspect.colors as unknown as Record<string, [number, number]>),
  toUSVString: (text: string) => String(text).toWellFormed(),
  ...old,
};

// What `assert` asks for by name (prelude.ts).
export { inspect, types };
