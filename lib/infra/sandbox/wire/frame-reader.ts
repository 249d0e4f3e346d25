import { KIND_BYTES, LENGTH_BYTES, NO_TEXT, NUMBER_BYTES } from './encode-frames.ts';
import type { Layouts, Part } from './layouts.ts';

/** These bytes are no frames of these layouts. */
export class FrameFault extends Error {}

export type FrameReader = {
  /** Hands on every message that is complete with this chunk. Throws FrameFault, and is of no use from then on. */
  push(chunk: Buffer): void;
};

const HEAD_BYTES = LENGTH_BYTES + KIND_BYTES;

type Kind = { name: string; parts: readonly Part[]; most: number };

/**
 * Takes frames out of what comes over a pipe (encode-frames.ts), from whoever may be at its other end. It keeps no more than one frame that is not
 * complete, and that is no longer than its kind may be: as soon as its first five bytes are there, one that is longer, or of no kind, is refused.
 */
export function createFrameReader(layouts: Layouts, receive: (message: [string, ...unknown[]]) => void): FrameReader {
  const kinds = Object.entries(layouts).map(([name, parts]) => ({ name, parts, most: mostOf(parts) }));
  const head = Buffer.alloc(HEAD_BYTES);
  let headLength = 0;
  /** What is there of a frame that is not complete, after its head. */
  let rest: Buffer | undefined;
  let restLength = 0;

  return { push };

  function push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (rest) at += fill(chunk, at);
      else if (headLength > 0 || chunk.length - at < HEAD_BYTES) at += begin(chunk, at);
      else at = take(chunk, at);
    }
  }

  /** A frame that begins in this chunk. */
  function take(chunk: Buffer, at: number): number {
    const length = bodyOf(chunk, at);
    const [from, to] = [at + HEAD_BYTES, at + HEAD_BYTES + length];
    if (to > chunk.length) return at + begin(chunk, at);
    receive(read(kindOf(chunk[at + LENGTH_BYTES]!), chunk, from, to));
    return to;
  }

  function begin(chunk: Buffer, at: number): number {
    const copied = chunk.copy(head, headLength, at, at + HEAD_BYTES - headLength);
    headLength += copied;
    if (headLength < HEAD_BYTES) return copied;
    rest = Buffer.allocUnsafeSlow(bodyOf(head, 0));
    restLength = 0;
    if (rest.length === 0) end(rest);
    return copied;
  }

  function fill(chunk: Buffer, at: number): number {
    const copied = chunk.copy(rest!, restLength, at);
    restLength += copied;
    if (restLength === rest!.length) end(rest!);
    return copied;
  }

  function end(whole: Buffer): void {
    rest = undefined;
    headLength = 0;
    receive(read(kindOf(head[LENGTH_BYTES]!), whole, 0, whole.length));
  }

  /** How much comes after the head; no more than its kind may have. */
  function bodyOf(bytes: Buffer, at: number): number {
    const length = bytes.readUInt32LE(at) - KIND_BYTES;
    if (length < 0 || length > kindOf(bytes[at + LENGTH_BYTES]!).most) throw new FrameFault('A frame is too long');
    return length;
  }

  function kindOf(number: number): Kind {
    const kind = kinds[number];
    if (!kind) throw new FrameFault('There is no such kind of frame');
    return kind;
  }
}

function mostOf(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + (part === 'number' ? NUMBER_BYTES : LENGTH_BYTES + part.most), 0);
}

function read({ name, parts }: Kind, bytes: Buffer, from: number, to: number): [string, ...unknown[]] {
  const message: [string, ...unknown[]] = [name];
  let at = from;
  for (const part of parts) {
    if (at + (part === 'number' ? NUMBER_BYTES : LENGTH_BYTES) > to) throw new FrameFault('A frame is too short');
    if (part === 'number') {
      const value = bytes.readDoubleLE(at);
      message.push(Number.isNaN(value) ? null : value);
      at += NUMBER_BYTES;
      continue;
    }
    const length = bytes.readUInt32LE(at);
    at += LENGTH_BYTES;
    if (length === NO_TEXT) {
      message.push(undefined);
      continue;
    }
    if (length > part.most || length > to - at) throw new FrameFault('A text is too long');
    message.push(bytes.toString('utf8', at, at + length));
    at += length;
  }
  if (at !== to) throw new FrameFault('A frame has more than its parts');
  return message;
}
