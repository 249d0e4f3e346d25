import { createHash, type Hash, hash } from 'node:crypto';

const LINE_END = 10;
const CARRIAGE_RETURN = 13;

/** So many lines are done with, so many bytes; `hash` over all of them, line by line. */
export type Place = { line: number; place: number; hash: string };

/** `bytes` without its end; undefined where it is too long. `after` is where the next one begins. */
export type Line = { number: number; bytes: Buffer | undefined; after: Place };

/** The lines of a file as its bytes come, one in memory; of one that has more than `most` bytes nothing but its end. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, from: Place, most: number): AsyncGenerator<Line> {
  let at = from;
  let line = newLine(from.hash, most);
  const end = (): Line => {
    const { bytes, size, hash: after } = line.end();
    at = { line: at.line + 1, place: at.place + size, hash: after };
    line = newLine(after, most);
    return { number: at.line, bytes, after: at };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let stop = chunk.indexOf(LINE_END); stop >= 0; stop = chunk.indexOf(LINE_END, start)) {
      line.take(chunk.subarray(start, stop + 1));
      start = stop + 1;
      yield end();
    }
    if (start < chunk.length) line.take(chunk.subarray(start));
  }
  // The last may have no end.
  if (line.size() > 0) yield end();
}

function newLine(before: string, most: number) {
  let pieces: Uint8Array[] = [];
  let size = 0;
  // Of a line that is too long, whose pieces are not kept.
  let long: Hash | undefined;
  return {
    size: () => size,
    take(piece: Uint8Array) {
      size += piece.length;
      pieces.push(piece);
      if (size <= most) return;
      long ??= createHash('sha256').update(before);
      for (const one of pieces) long.update(one);
      pieces = [];
    },
    end() {
      if (long) return { bytes: undefined, size, hash: long.digest('base64url') };
      // An object for each of millions of lines holds up everybody while it is collected.
      const all = Buffer.concat([Buffer.from(before), ...pieces]);
      const bytes = withoutEnd(all.subarray(all.length - size));
      return { bytes, size, hash: hash('sha256', all, 'base64url') };
    },
  };
}

function withoutEnd(bytes: Buffer): Buffer {
  let length = bytes.length;
  if (bytes[length - 1] === LINE_END) length -= 1;
  if (bytes[length - 1] === CARRIAGE_RETURN) length -= 1;
  return bytes.subarray(0, length);
}
