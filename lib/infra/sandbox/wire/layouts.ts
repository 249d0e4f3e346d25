import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { FromRunner, ToRunner } from '../host/wire.ts';

/** One part of a message: a number, or null; or a text of at most so many bytes of UTF-8, or undefined. */
export type Part = 'number' | { most: number };

/** The parts of each kind of message, after its name. A kind is told by its place among them: both sides are of one release. */
export type Layouts<M extends readonly [string, ...unknown[]] = readonly [string, ...unknown[]]> = {
  readonly [K in M[0]]: readonly Part[];
};

/** Of one character, which is a unit of UTF-16. */
const MOST_BYTES = 3;
/** Lines and traces are mapped to the source, and say where they were cut: is-sound.ts has what they may have exactly. */
const ROOM = 1024;
const NAME = { most: 100 };
/** As much as a length can say: of what the server itself sends. */
const ANY = { most: 2 ** 32 - 2 };
const { callBytes, logBytes, resultBytes, outcomeBytes, errorCharacters, stackCharacters } = SANDBOX_LIMITS;

/** What a process may say is no longer than this, and that is looked at before any of it is kept. */
export const FROM_RUNNER: Layouts<FromRunner> = {
  ready: [],
  call: ['number', 'number', NAME, { most: callBytes }],
  abort: ['number', 'number'],
  log: ['number', NAME, { most: MOST_BYTES * logBytes + ROOM }],
  done: ['number', NAME, { most: resultBytes }, 'number', 'number'],
  failed: [
    'number',
    NAME,
    { most: MOST_BYTES * errorCharacters + ROOM },
    { most: MOST_BYTES * stackCharacters + ROOM },
    { most: outcomeBytes },
    'number',
    'number',
  ],
  free: ['number', 'number'],
  lost: ['number'],
  worn: [],
};

export const TO_RUNNER: Layouts<ToRunner> = {
  init: [ANY, 'number', 'number', ANY],
  load: [ANY, ANY, ANY],
  unload: [ANY],
  run: ['number', ANY, 'number', 'number', ANY, NAME, ANY],
  reply: ['number', 'number', 'number', ANY],
  cancel: ['number'],
};
