import type { Readable } from 'node:stream';

/** Bytes from the first to the last, both included. */
export type Part = { first: number; last: number };

/** One way to keep files, by paths that we make. */
export type Driver = {
  /** Resolves when all of it is there for good, under its name; before that there is nothing of this name. */
  put(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  open(path: string, part?: Part): Promise<Readable>;
  /** Also what a `put` that was killed has left; nothing when there is nothing. */
  drop(path: string): Promise<void>;
  /** Throws `WrongSettings` where nothing can be kept. */
  check(): Promise<void>;
};
