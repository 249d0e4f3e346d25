type Piped = { pipe(to: object): AsyncIterable<unknown>; on(event: 'error', heard: (error: Error) => void): void };

/** What a stream of Node gives, piece by piece, also one that is of the old class alone (of a bundled form-data); undefined for what is none. */
export function piecesOf(stream: unknown): AsyncIterable<unknown> | undefined {
  if (typeof stream !== 'object' || stream === null) return undefined;
  if (Symbol.asyncIterator in stream) return stream as AsyncIterable<unknown>;
  if (!('pipe' in stream) || typeof stream.pipe !== 'function') return undefined;
  const { PassThrough } = require('../node/stream.ts').streams;
  const through = new PassThrough();
  const piped = stream as unknown as Piped;
  piped.on('error', (error) => through.destroy(error));
  return piped.pipe(through);
}
