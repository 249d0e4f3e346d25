import { AppError } from '#lib/base/errors.ts';
import { beforeFile } from './large-bodies.ts';
import { type BodyReader, cutOff, mediaType, tooLarge } from './read-body.ts';
import { isPacked, unpacked } from './unpack.ts';

/** A body of any length, piece by piece as whoever reads it asks for more. Throws 415 for another type, and 400 where it breaks off. */
export function streamBody(type: string): BodyReader<AsyncIterable<Uint8Array>> {
  return {
    read: async (request) => {
      const encoding = request.headers.get('content-encoding');
      if (encoding && encoding !== 'identity')
        throw new AppError('unsupported-media-type', 'Content-Encoding is not supported');
      if (mediaType(request) !== type) throw new AppError('unsupported-media-type', `Send ${type}`);
      return pieces(request);
    },
  };
}

/** A file of at most so many bytes, piece by piece; unpacked where it is gzip. 413 beyond, before anything is read where its length is told. */
export function fileBody(request: Request, limit: number): AsyncIterable<Uint8Array> {
  const packed = isPacked(request);
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > limit) throw tooLarge(limit);
  return counted(request, packed ? unpacked(request, limit) : pieces(request), { limit, length });
}

async function* counted(
  request: Request,
  bytes: AsyncIterable<Uint8Array>,
  { limit, length }: { limit: number; length: number },
): AsyncGenerator<Uint8Array> {
  await beforeFile(request, length);
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > limit) throw tooLarge(limit);
    await beforeFile(request, size);
    yield piece;
  }
}

async function* pieces({ body }: Request): AsyncGenerator<Uint8Array> {
  if (!body) return;
  try {
    yield* body;
  } catch (cause) {
    throw cutOff(cause);
  }
}
