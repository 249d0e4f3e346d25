import {
  deflateSync as deflateRawAll,
  gunzipSync as gunzipAll,
  gzipSync as gzipAll,
  inflateSync as inflateRawAll,
  unzlibSync,
  zlibSync,
} from 'fflate';
import { Transform } from 'readable-stream';
import { type Input, toBytes } from '../node-crypto/encodings.ts';
import { Buffer } from './buffer.ts';
import { type Done, later } from './later.ts';

type Options = { level?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 };
type Work = (bytes: Uint8Array, options: Options) => Uint8Array;
type Whole = (input: Input, options?: Options) => Uint8Array;

const unzipAll: Work = (bytes) => (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipAll(bytes) : unzlibSync(bytes));

/** https://nodejs.org/api/zlib.html, in the bot's own time and memory; without Brotli. */
export const gzipSync = whole((bytes, options) => gzipAll(bytes, options));
export const gunzipSync = whole((bytes) => gunzipAll(bytes));
export const deflateSync = whole((bytes, options) => zlibSync(bytes, options));
export const inflateSync = whole((bytes) => unzlibSync(bytes));
export const deflateRawSync = whole((bytes, options) => deflateRawAll(bytes, options));
export const inflateRawSync = whole((bytes) => inflateRawAll(bytes));
export const unzipSync = whole(unzipAll);

export const gzip = called(gzipSync);
export const gunzip = called(gunzipSync);
export const deflate = called(deflateSync);
export const inflate = called(inflateSync);
export const deflateRaw = called(deflateRawSync);
export const inflateRaw = called(inflateRawSync);
export const unzip = called(unzipSync);

export const createGzip = streamed(gzipSync);
export const createGunzip = streamed(gunzipSync);
export const createDeflate = streamed(deflateSync);
export const createInflate = streamed(inflateSync);
export const createDeflateRaw = streamed(deflateRawSync);
export const createInflateRaw = streamed(inflateRawSync);
export const createUnzip = streamed(unzipSync);

/** As RFC 1952 §8, of texts as UTF-8; `before`: of what came before. */
export function crc32(input: Input, before = 0): number {
  let crc = ~before;
  for (const byte of toBytes(input)) crc = (CRCS[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

const CRCS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export const constants = {
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
  Z_SYNC_FLUSH: 2,
  Z_FINISH: 4,
};

function whole(work: Work): Whole {
  return (input, { level } = {}) => {
    const options = level === undefined || level < 0 ? {} : { level };
    const bytes = toBytes(input);
    // A module that Node has throws errors with a code.
    try {
      return Buffer.from(work(bytes, options));
    } catch (error) {
      throw Object.assign(new Error(error instanceof Error ? error.message : 'invalid data'), { code: 'Z_DATA_ERROR' });
    }
  };
}

function called(work: Whole) {
  return (input: Input, ...[given, last]: [Done<Uint8Array>] | [Options, Done<Uint8Array>]) => {
    const [options, done] = typeof given === 'function' ? [{}, given] : [given, last!];
    later(() => work(input, options), done);
  };
}

/** Gives its answer at the end of what it was given. */
function streamed(work: Whole) {
  return (options?: Options) => {
    const parts: Uint8Array[] = [];
    return new Transform({
      transform(chunk: string, encoding: string, callback: () => void) {
        parts.push(Buffer.from(chunk, encoding as never));
        callback();
      },
      flush(callback: (error: Error | null, result?: Uint8Array) => void) {
        try {
          callback(null, work(Buffer.concat(parts), options));
        } catch (error) {
          callback(error as Error);
        }
      },
    });
  };
}
