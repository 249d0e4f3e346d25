import * as polyfill from 'readable-stream';

const { Readable } = polyfill;
type Pieces = AsyncIterable<unknown>;
const Web = globalThis.ReadableStream as unknown as { from(pieces: Pieces): ReadableStream };

// Where Node itself is, the package takes these of it; here the streams of the Web are those of the bot.
Object.assign(Readable, {
  fromWeb: (stream: ReadableStream, options?: object) =>
    Readable.from(stream as unknown as Pieces, { objectMode: false, ...options }),
  toWeb: (readable: Pieces) => Web.from(readable),
});

/** The old class that all of them are of, with the others beside it: some programs extend what they import. */
export const streams = (polyfill as unknown as { Stream: typeof polyfill }).Stream;
