import type { Layouts } from './layouts.ts';

/** Of a frame: how many bytes come after these four, and then the kind of the message. */
export const LENGTH_BYTES = 4;
export const KIND_BYTES = 1;
export const NUMBER_BYTES = 8;
/** Instead of a length: no text. */
export const NO_TEXT = 2 ** 32 - 1;

type Message = readonly [string, ...unknown[]];

/**
 * Messages as frames, one after the other: a length, the kind, the parts. Numbers are doubles, texts UTF-8 with their length before them.
 * All of them in one buffer, which is one write.
 */
export function encodeFrames<M extends Message>(layouts: Layouts<M>, messages: readonly M[]): Buffer {
  const kinds = Object.keys(layouts);
  const lengths: number[] = [];
  let total = 0;
  for (const message of messages) {
    const length = lengthOf(layouts[message[0] as M[0]], message, lengths);
    total += LENGTH_BYTES + length;
  }
  const buffer = Buffer.allocUnsafe(total);
  let at = 0;
  let next = 0;
  for (const message of messages) {
    const parts = layouts[message[0] as M[0]];
    const start = at;
    at = buffer.writeUInt8(kinds.indexOf(message[0]), at + LENGTH_BYTES);
    for (const [index, part] of parts.entries()) {
      const value = message[index + 1];
      if (part === 'number') {
        at = buffer.writeDoubleLE((value as number | null) ?? Number.NaN, at);
        continue;
      }
      const length = lengths[next]!;
      next += 1;
      at = buffer.writeUInt32LE(length, at);
      if (length !== NO_TEXT) at += buffer.write(value as string, at);
    }
    buffer.writeUInt32LE(at - start - LENGTH_BYTES, start);
  }
  return buffer;
}

/** What comes after its length; `lengths` gets those of its texts. */
function lengthOf(parts: Layouts[string], message: Message, lengths: number[]): number {
  let length = KIND_BYTES;
  for (const [index, part] of parts.entries()) {
    if (part === 'number') {
      length += NUMBER_BYTES;
      continue;
    }
    const value = message[index + 1] as string | undefined;
    const bytes = value === undefined ? NO_TEXT : Buffer.byteLength(value);
    lengths.push(bytes);
    length += LENGTH_BYTES + (bytes === NO_TEXT ? 0 : bytes);
  }
  return length;
}
