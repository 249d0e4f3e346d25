import { AppError } from '#lib/base/errors.ts';
import { type BodyReader, mediaType } from './read-body.ts';

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

async function* pieces({ body }: Request): AsyncGenerator<Uint8Array> {
  if (!body) return;
  try {
    yield* body;
  } catch (cause) {
    throw new AppError('structure', 'The body did not arrive in full', { cause });
  }
}
