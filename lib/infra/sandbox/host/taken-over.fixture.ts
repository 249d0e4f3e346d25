import { Socket } from 'node:net';
import { PIPE } from '../walls/pipe.ts';
import { encodeFrames } from '../wire/encode-frames.ts';
import { FROM_RUNNER } from '../wire/layouts.ts';
import type { FromRunner } from './wire.ts';

/** A runner process in the hands of somebody else: what it does with its pipe its first argument says. */
const [, , attack = ''] = process.argv;
const pipe = new Socket({ fd: PIPE });
pipe.on('error', () => process.exit(0));

const many = (...messages: FromRunner[]) =>
  encodeFrames(FROM_RUNNER, Array.from({ length: 10_000 }, () => messages).flat());
const head = (length: number, kind: keyof typeof FROM_RUNNER) => {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt32LE(length);
  bytes.writeUInt8(Object.keys(FROM_RUNNER).indexOf(kind), 4);
  return bytes;
};

const ATTACKS = {
  // As fast as the pipe takes it.
  'one frame of 10 GB': () => pour(head(2 ** 32 - 1, 'done'), Buffer.alloc(1024 * 1024, 'x')),
  'a frame that never ends': () => {
    pipe.write(head(6 * 1024 * 1024, 'done'));
    setInterval(() => pipe.write('x'), 1);
  },
  'lines of a run that it has not': () => pour(many(['log', 7, 'log', ''])),
  'calls of a run that is over': () => pour(many(['call', 1, 1, 'search', '[]'])),
  'that it is ready, over and over': () => pour(many(['ready'])),
  'that it is worn, over and over': () => pour(many(['worn'])),
  'that it has lost itself, over and over': () => pour(many(['lost', -1])),
  'ends of calls that were never asked': () => pour(many(['abort', 1, 1])),
  'random bytes': () => pour(Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * 31 + 7) & 255))),
  'nothing, and reads nothing': () => setInterval(() => undefined, 1000),
  'nothing, and closes its pipe': () => {
    pipe.destroy();
    setInterval(() => undefined, 1000);
  },
  'much to its stderr': () => {
    pipe.resume();
    process.stderr.on('error', () => undefined);
    for (let times = 0; times < 200; times += 1) process.stderr.write('x'.repeat(1024 * 1024));
    pipe.write(encodeFrames(FROM_RUNNER, [['ready']]));
  },
} satisfies Record<string, () => void>;

export type Attack = keyof typeof ATTACKS;

ATTACKS[attack as Attack]();

function pour(...chunks: Buffer[]): void {
  let at = 0;
  const next = () => {
    while (pipe.write(chunks[Math.min(at, chunks.length - 1)]!)) at += 1;
    at += 1;
  };
  pipe.on('drain', next);
  next();
}
