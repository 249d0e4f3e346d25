import type { IncomingMessage } from 'node:http';
import { addAbortSignal, type Duplex, pipeline, Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutsideFailed } from './outside-failed.ts';

/** Encodings one in the other. */
const MOST_ENCODINGS = 3;

export type UnpackedLimits = {
  mostBytes: number;
  /** Ends it also when all that was packed has come, and is worked on. */
  signal: AbortSignal;
  /** One to HEAD has the length of what it does not bring (RFC 9110 §8.6). */
  hasBody: boolean;
  /** Hears of each piece before it is kept, and may throw. */
  hold: (bytes: number) => void;
};

/**
 * The body of an answer without its Content-Encoding: at most `mostBytes`, packed, unpacked and between two encodings, since much may come of
 * little, and nothing of much.
 */
export async function readUnpacked(
  response: IncomingMessage,
  { mostBytes, signal, hasBody, hold }: UnpackedLimits,
): Promise<Buffer> {
  const encodings = encodingsOf(response);
  const isTold = Number(response.headers['content-length'] ?? 0) > mostBytes;
  if (isTold && hasBody && response.statusCode !== 304) throw tooLarge(mostBytes);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of await unpack(response, encodings, { mostBytes, signal })) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    hold(part.length);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(mostBytes: number): OutsideFailed {
  return new OutsideFailed('TOO_LARGE', `the answer is larger than ${mostBytes / 1024 / 1024} MiB`);
}

function encodingsOf({ headers }: IncomingMessage): string[] {
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  const named = encodings.map((encoding) => encoding.trim()).filter((encoding) => encoding && encoding !== 'identity');
  if (named.length > MOST_ENCODINGS) throw new OutsideFailed('ENCODING', 'the answer is packed too many times');
  return named;
}

async function unpack(
  response: IncomingMessage,
  encodings: string[],
  { mostBytes, signal }: Pick<UnpackedLimits, 'mostBytes' | 'signal'>,
): Promise<AsyncIterable<Buffer>> {
  if (encodings.length === 0) return response;
  const first = encodings.at(-1) === 'deflate' ? await peek(response) : undefined;
  // The last that was put on comes off first.
  const unpackers = encodings.reverse().map((encoding, index) => unpackerOf(encoding, index === 0 ? first : undefined));
  // What fails is told by the last of them, which is read.
  unpackers.reduce<AsyncIterable<Buffer>>((packed, unpacker) => {
    pipeline(Readable.from(upTo(packed, mostBytes)), unpacker, () => {});
    return unpacker;
  }, response);
  return addAbortSignal(signal, unpackers.at(-1)!);
}

async function* upTo(packed: AsyncIterable<Buffer>, mostBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of packed) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge(mostBytes);
    yield part;
  }
}

// What is cut at its end gives what there is, as in every browser.
const GENTLE = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
const BROTLI = { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH };

function unpackerOf(encoding: string, first: number | undefined): Duplex {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(GENTLE);
  if (encoding === 'br') return createBrotliDecompress(BROTLI);
  // Some servers send it without the header that RFC 9110 §8.4.1.2 asks for.
  if (encoding === 'deflate')
    return first !== undefined && (first & 0x0f) !== 8 ? createInflateRaw(GENTLE) : createInflate(GENTLE);
  throw new OutsideFailed('ENCODING', 'the answer is packed in a way that is not known');
}

/** The first byte, which stays to be read. */
async function peek(response: IncomingMessage): Promise<number | undefined> {
  if (response.readableLength === 0 && !response.readableEnded)
    await new Promise<void>((resolve) => {
      response.once('readable', resolve).once('end', resolve).once('close', resolve);
    });
  const piece = response.read() as Buffer | null;
  if (piece) response.unshift(piece);
  return piece?.[0];
}
