import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '#lib/base/errors.ts';
import { isOwned } from './large-bodies.ts';

/**
 * Whether the body is to be unpacked (Content-Encoding: gzip). Only of whom we know: nobody else makes us unpack anything. Throws 415 for every
 * other encoding, saying which there is (RFC 9110 §15.5.16).
 */
export function isPacked(request: Request): boolean {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase();
  if (!encoding || encoding === 'identity') return false;
  if ((encoding === 'gzip' || encoding === 'x-gzip') && isOwned(request)) return true;
  const headers = isOwned(request) ? { 'accept-encoding': 'gzip' } : undefined;
  throw new AppError('unsupported-media-type', 'Content-Encoding is not supported', { headers });
}

/** The body unpacked, piece by piece as it is read: whoever reads it counts, and stops where it is enough. Throws 400 for what is no gzip. */
export async function* unpacked({ body }: Request, mostPacked: number): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const gunzip = createGunzip();
  // Its failure is told to whoever reads.
  pipeline(Readable.from(counted(body, mostPacked)), gunzip, () => undefined);
  try {
    yield* gunzip;
  } catch (error) {
    if (!isGzipFault(error)) throw error;
    throw new AppError('structure', 'The body is not gzip, as its Content-Encoding says', { cause: error });
  } finally {
    gunzip.destroy();
  }
}

/** Packed nothing is still something: a body of empty parts would never end. */
async function* counted(body: ReadableStream<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > most) throw new AppError('content-too-large', `The body is larger than ${most} bytes`);
    yield chunk;
  }
}

function isGzipFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
