import polyfill from 'util/';
import { isDeepEqual } from './deep-equal.ts';

const { TextDecoder, TextEncoder } = globalThis;

const { promisify } = polyfill;
const { setTimeout, setImmediate } = globalThis;
// Their callback is the first that they are given.
Object.defineProperty(setTimeout, promisify.custom, {
  value: (delayMs?: number, value?: unknown) => new Promise((resolve) => setTimeout(resolve, delayMs, value)),
});
Object.defineProperty(setImmediate, promisify.custom, {
  value: (value?: unknown) => new Promise((resolve) => setImmediate(resolve, value)),
});

/** https://nodejs.org/api/util.html, by its polyfill, with what that lacks. */
export const util = {
  ...polyfill,
  TextDecoder,
  TextEncoder,
  isDeepStrictEqual: isDeepEqual,
  toUSVString: (text: string) => String(text).toWellFormed(),
};
