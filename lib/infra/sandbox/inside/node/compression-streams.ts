import { nameClasses } from '../name-classes.ts';
import { Buffer } from './buffer.ts';
import { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync } from './zlib.ts';

const { TransformStream } = globalThis;
type Work = (bytes: Uint8Array) => Uint8Array;

/** https://compression.spec.whatwg.org: gives its answer at the end of what it was given, as `zlib` here does. */
export const compressionStreams = nameClasses({
  CompressionStream: classOf('CompressionStream', {
    deflate: deflateSync,
    'deflate-raw': deflateRawSync,
    gzip: gzipSync,
  }),
  DecompressionStream: classOf('DecompressionStream', {
    deflate: inflateSync,
    'deflate-raw': inflateRawSync,
    gzip: gunzipSync,
  }),
});

function classOf(name: string, formats: Record<string, Work>) {
  return class {
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<ArrayBufferView | ArrayBuffer>;

    constructor(format: string) {
      if (!Object.hasOwn(formats, format)) {
        const what = `1st argument '${format}' is not a valid enum value of type CompressionFormat.`;
        const error = new TypeError(`Failed to construct '${name}': ${what}`);
        throw Object.assign(error, { code: 'ERR_INVALID_ARG_VALUE' });
      }
      const parts: Buffer[] = [];
      const { readable, writable } = new TransformStream<ArrayBufferView | ArrayBuffer, Uint8Array>({
        transform: (chunk) => void parts.push(copyOf(chunk)),
        flush(controller) {
          const bytes = attempt(formats[format]!, Buffer.concat(parts));
          if (bytes.byteLength > 0) controller.enqueue(new Uint8Array(bytes));
        },
      });
      this.readable = readable;
      this.writable = writable;
    }
  };
}

function copyOf(chunk: ArrayBufferView | ArrayBuffer): Buffer {
  if (ArrayBuffer.isView(chunk)) return Buffer.from(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  if (chunk instanceof ArrayBuffer) return Buffer.from(new Uint8Array(chunk));
  throw new TypeError('Bytes are needed: an ArrayBuffer, or a view of one');
}

function attempt(work: Work, bytes: Uint8Array): Uint8Array {
  try {
    return work(bytes);
  } catch (error) {
    const { message, code } = error as { message: string; code?: string };
    throw Object.assign(new TypeError(message, { cause: error }), { code });
  }
}
