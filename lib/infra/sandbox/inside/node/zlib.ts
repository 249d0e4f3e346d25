import {
  deflateSync as deflateRawAll,
  gunzipSync as gunzipAll,
  gzipSync as gzipAll,
  inflateSync as inflateRawAll,
  unzlibSync,
  zlibSync,
} from 'fflate';
import { Transform } from 'readable-stream';
import { Buffer } from './buffer.ts';

type Input = string | ArrayBuffer | ArrayBufferView;
type Options = { level?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 };
type Work = (bytes: Uint8Array, options: Options) => Uint8Array;
type Callback = (error: unknown, result?: Uint8Array) => void;
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

export const gzip = later(gzipSync);
export const gunzip = later(gunzipSync);
export const deflate = later(deflateSync);
export const inflate = later(inflateSync);
export const deflateRaw = later(deflateRawSync);
export const inflateRaw = later(inflateRawSync);
export const unzip = later(unzipSync);

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

/** Of a view its bytes, and not its elements. */
function toBytes(input: Input): Uint8Array {
  if (!ArrayBuffer.isView(input)) return Buffer.from(input as never);
  return Buffer.from(input.buffer as ArrayBuffer, input.byteOffset, input.byteLength);
}

function whole(work: Work): Whole {
  return (input, { level } = {}) => {
    const options = level === undefined || level < 0 ? {} : { level };
    // A module that Node has throws errors with a code.
    try {
      return Buffer.from(work(toBytes(input), options));
    } catch (error) {
      throw Object.assign(new Error(error instanceof Error ? error.message : 'invalid data'), { code: 'Z_DATA_ERROR' });
    }
  };
}

function later(work: Whole) {
  return (input: Input, ...[given, last]: [Callback] | [Options, Callback]) => {
    const [options, callback] = typeof given === 'function' ? [{}, given] : [given, last!];
    queueMicrotask(() => {
      let result: Uint8Array;
      try {
        result = work(input, options);
      } catch (error) {
        return callback(error);
      }
      callback(null, result);
    });
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
