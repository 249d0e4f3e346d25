import polyfill from 'util/';
import { isDeepEqual } from './deep-equal.ts';

const { TextDecoder, TextEncoder } = globalThis;

/** https://nodejs.org/api/util.html, by its polyfill, with what that lacks. */
export const util = {
  ...polyfill,
  TextDecoder,
  TextEncoder,
  isDeepStrictEqual: isDeepEqual,
  toUSVString: (text: string) => String(text).toWellFormed(),
};
