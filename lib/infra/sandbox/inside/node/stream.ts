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

/** `promises` is what the package only inherits from its older self, and Node has by name. */
export const streams = { ...polyfill, promises: polyfill.promises };
