import { deflateSync as deflateRawAll, gzipSync as gzipAll, zlibSync } from 'fflate';
import { Transform } from 'readable-stream';
import { type Input, toBytes } from '../node-crypto/encodings.ts';
import { crc32 as crc32Of } from '../node-zlib/checksums.ts';
import { gunzipAll, inflateAll, inflateRaw as inflateRawAll } from '../node-zlib/unpack.ts';
import { Buffer } from './buffer.ts';
import { type Done, later } from './later.ts';

export const crc32 = crc32Of;

/** What else Node knows changes how fast it is done, and no result. */
type Options = { level?: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9; maxOutputLength?: number; dictionary?: unknown };
type Work = (bytes: Uint8Array, options: Pick<Options, 'level'>, most: number) => Uint8Array;
type Whole = (input: Input, options?: Options) => Uint8Array;

/** https://nodejs.org/api/zlib.html, in the bot's own time and memory; without Brotli and dictionaries. */
export const gzipSync = whole((bytes, options) => gzipAll(bytes, { ...options, mtime: 0 }));
export const gunzipSync = whole((bytes, _, most) => gunzipAll(bytes, most));
export const deflateSync = whole((bytes, options) => zlibSync(bytes, options));
export const inflateSync = whole((bytes, _, most) => inflateAll(bytes, most));
export const deflateRawSync = whole((bytes, options) => deflateRawAll(bytes, options));
export const inflateRawSync = whole((bytes, _, most) => inflateRawAll(bytes, most));
export const unzipSync = whole((bytes, _, most) =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipAll(bytes, most) : inflateAll(bytes, most),
);

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

export const constants = {
  Z_NO_COMPRESSION: 0,
  Z_BEST_SPEED: 1,
  Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1,
  Z_SYNC_FLUSH: 2,
  Z_FINISH: 4,
};

function whole(work: Work): Whole {
  return (input, { level, dictionary, maxOutputLength = Number.POSITIVE_INFINITY } = {}) => {
    if (dictionary !== undefined) throw new TypeError('zlib: the option dictionary is not provided here');
    const options = level === undefined || level < 0 ? {} : { level };
    const bytes = toBytes(input);
    // A module that Node has throws errors with a code.
    try {
      return Buffer.from(work(bytes, options, maxOutputLength));
    } catch (error) {
      if (error instanceof RangeError && 'code' in error) throw error;
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
