import { expect, it } from 'vitest';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { FromRunner, ToRunner } from '../host/wire.ts';
import { encodeFrames } from './encode-frames.ts';
import { createFrameReader, FrameFault } from './frame-reader.ts';
import { FROM_RUNNER, TO_RUNNER } from './layouts.ts';

function readAll(bytes: Buffer, step = bytes.length): unknown[] {
  const messages: unknown[] = [];
  const reader = createFrameReader(FROM_RUNNER, (message) => messages.push(message));
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step));
  return messages;
}

const SAID: FromRunner[] = [
  ['ready'],
  ['call', 1, 2, 'search', '["Patient","name=Ärger 🎻"]'],
  ['log', 2 ** 40, 'warn', ''],
  ['done', 1, 'json', `{"a":"${'x'.repeat(100_000)}"}`, 12, null],
  ['failed', 1, 'threw', 'x', undefined, '{}', null, null],
  ['free', 1, 2],
  ['worn'],
];

it.each([1, 2, 3, 7, 4096, 1_000_000])(
  'messages arrive as they were sent, however they are cut: %i bytes at once',
  (step) => {
    expect(readAll(encodeFrames(FROM_RUNNER, SAID), step)).toEqual(SAID);
  },
);

it('what the server says arrives as it was, too', () => {
  const said: ToRunner[] = [
    ['load', 'v', 'code', undefined],
    ['reply', 1, 2, 1, undefined],
    ['run', 1, 'v', 128, 5000, '{}', 'json', '{"a":1}'],
  ];
  const heard: unknown[] = [];
  createFrameReader(TO_RUNNER, (message) => heard.push(message)).push(encodeFrames(TO_RUNNER, said));
  expect(heard).toEqual(said);
});

const frame = (length: number, kind: number, ...rest: number[]) => {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(length);
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, Buffer.from(rest)]);
};
const KINDS = Object.keys(FROM_RUNNER);
const log = encodeFrames(FROM_RUNNER, [['log', 1, 'log', 'x']]);
const changed = (at: number, value: number) => {
  const bytes = Buffer.from(log);
  bytes.writeUInt32LE(value, at);
  return bytes;
};

it.each([
  ['of four gigabytes', frame(2 ** 32 - 1, KINDS.indexOf('done'))],
  ['longer than its kind may be', frame(SANDBOX_LIMITS.logBytes * 4, KINDS.indexOf('log'))],
  ['of no kind', frame(1, 99)],
  ['of no length', frame(0, 0)],
  ['shorter than its parts', frame(3, KINDS.indexOf('free'), 0, 0)],
  ['with more than its parts', frame(2, KINDS.indexOf('ready'), 0)],
  ['whose text is longer than it', changed(4 + 1 + 8, 1000)],
  ['whose text is longer than texts may be', changed(4 + 1 + 8, 2 ** 32 - 2)],
])('a frame %s is refused, by its first bytes where these tell', (_, bytes) => {
  for (const step of [1, bytes.length]) expect(() => readAll(bytes, step)).toThrow(FrameFault);
});

it('of a frame that never ends no more is kept than its kind may have', () => {
  const bytes = frame(SANDBOX_LIMITS.resultBytes, KINDS.indexOf('done'));
  const reader = createFrameReader(FROM_RUNNER, () => expect.unreachable());
  reader.push(bytes);
  const before = process.memoryUsage().arrayBuffers;
  const drop = Buffer.alloc(1);
  for (let at = 0; at < 100_000; at += 1) reader.push(drop);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(SANDBOX_LIMITS.resultBytes);
});

it('bytes of chance are refused or read, and never anything else', () => {
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed & 255;
  };
  for (let round = 0; round < 2000; round += 1) {
    const bytes = Buffer.from(encodeFrames(FROM_RUNNER, SAID.slice(0, 3)));
    for (let times = 0; times < 3; times += 1) bytes[(next() * 256 + next()) % bytes.length] = next();
    try {
      readAll(bytes, 1 + (next() % 40));
    } catch (error) {
      expect(error).toBeInstanceOf(FrameFault);
    }
  }
});
