/** HL7 v2's Transmission Control, Minimal Lower Layer Protocol: <VT> message <FS><CR>. */
const VT = 0x0b;
const FS = 0x1c;
const CR = 0x0d;
const LF = 0x0a;

/** `too-large`: the beginning of one that is; `garbage`: bytes outside of any. After these two nothing more is read. */
export type Frame = { kind: 'message' | 'too-large' | 'garbage'; bytes: Uint8Array };

export type FrameReader = {
  /** What is whole with these bytes, in order. */
  push(chunk: Uint8Array): Frame[];
  /** Of a message that has begun and has not ended. */
  pending(): number;
};

/** As much of one that is too large as tells which it was. */
const BEGINNING = 4096;
const FIRST_CAPACITY = 4096;

/**
 * Takes a stream apart into its messages, however it comes. Line ends between messages are no garbage: many senders put one there. An <FS>
 * without its <CR> ends a message where the next one begins behind it.
 */
export function createFrameReader(limit: number): FrameReader {
  let isInside = false;
  let isOver = false;
  /** The last byte was <FS>: what comes next says whether the message has ended. */
  let mayEnd = false;
  let buffer = new Uint8Array(0);
  let length = 0;

  function push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    for (let at = 0; at < chunk.length && !isOver; ) {
      if (!isInside) at = begin(chunk, at, frames);
      else if (mayEnd) at = end(chunk, at, frames);
      else at = fill(chunk, at, frames);
    }
    return frames;
  }

  function begin(chunk: Uint8Array, at: number, frames: Frame[]): number {
    const byte = chunk[at]!;
    if (byte === VT) isInside = true;
    else if (byte !== CR && byte !== LF) stop('garbage', frames);
    return at + 1;
  }

  function end(chunk: Uint8Array, at: number, frames: Frame[]): number {
    const byte = chunk[at]!;
    mayEnd = false;
    if (byte !== CR && byte !== VT) {
      append(Uint8Array.of(FS), frames);
      return at;
    }
    frames.push({ kind: 'message', bytes: buffer.slice(0, length) });
    buffer = new Uint8Array(0);
    length = 0;
    isInside = byte === VT;
    return at + 1;
  }

  function fill(chunk: Uint8Array, at: number, frames: Frame[]): number {
    const found = chunk.indexOf(FS, at);
    const to = found < 0 ? chunk.length : found;
    append(chunk.subarray(at, to), frames);
    if (found < 0) return to;
    mayEnd = true;
    return to + 1;
  }

  function append(bytes: Uint8Array, frames: Frame[]): void {
    if (length + bytes.length > limit) {
      const room = Math.max(0, BEGINNING - length);
      grow(bytes.subarray(0, room));
      stop('too-large', frames);
    } else grow(bytes);
  }

  /** Twice as large each time: whoever sends byte by byte costs no more than whoever sends at once. */
  function grow(bytes: Uint8Array): void {
    if (length + bytes.length > buffer.length) {
      const larger = new Uint8Array(
        Math.max(FIRST_CAPACITY, Math.min(2 * buffer.length, limit), length + bytes.length),
      );
      larger.set(buffer.subarray(0, length));
      buffer = larger;
    }
    buffer.set(bytes, length);
    length += bytes.length;
  }

  function stop(kind: 'too-large' | 'garbage', frames: Frame[]): void {
    isOver = true;
    frames.push({ kind, bytes: buffer.slice(0, Math.min(length, BEGINNING)) });
    buffer = new Uint8Array(0);
    length = 0;
  }

  return { push, pending: () => (isInside ? buffer.length + 1 : 0) };
}

/** A message as it goes over the wire. */
export function toFrame(bytes: Uint8Array): Uint8Array {
  const frame = new Uint8Array(bytes.length + 3);
  frame[0] = VT;
  frame.set(bytes, 1);
  frame.set([FS, CR], bytes.length + 1);
  return frame;
}
