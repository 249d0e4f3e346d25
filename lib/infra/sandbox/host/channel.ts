import type { Socket } from 'node:net';
import { encodeFrames } from '../wire/encode-frames.ts';
import { createFrameReader, FrameFault } from '../wire/frame-reader.ts';
import { FROM_RUNNER, TO_RUNNER } from '../wire/layouts.ts';
import type { ToRunner } from './wire.ts';

export type ChannelEvents = {
  /** False when this may not be said: nothing is read any more. */
  receive: (message: unknown) => boolean;
  /** The other end is to be ended: it said what it may not, or reads nothing. */
  onFault: (why: string) => void;
  /** Nothing comes any more: also while the process lives. */
  onClosed: () => void;
  onCaughtUp: () => void;
};

export type Channel = {
  /** In one write with all else that this turn of the loop produces. */
  post(message: ToRunner): void;
  /** Whether much waits here until the other end reads it. */
  isBehind(): boolean;
};

/** Bytes that wait for the other end to read them: from the first number on it is not heard, at the second it is given up. */
const BEHIND = 32 * 1024 * 1024;
const LOST = 256 * 1024 * 1024;

/**
 * The server's end of the pipe to a runner process, whose other end may be in anybody's hands: what it says is bounded before it is kept (wire/),
 * and what it does not read stops what it may ask for.
 */
export function openChannel(pipe: Socket, { receive, onFault, onClosed, onCaughtUp }: ChannelEvents): Channel {
  const reader = createFrameReader(FROM_RUNNER, (message) => {
    if (!receive(message)) throw new FrameFault('This may not be said now');
  });
  let outbox: ToRunner[] = [];

  pipe.on('data', (chunk) => {
    try {
      reader.push(chunk);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      give(error.message);
    }
  });
  pipe.on('close', onClosed);
  // It is closed then.
  pipe.on('error', () => undefined);
  pipe.on('drain', () => {
    if (!pipe.isPaused()) return;
    pipe.resume();
    onCaughtUp();
  });
  return { post, isBehind: () => pipe.writableLength > BEHIND };

  function post(message: ToRunner): void {
    if (outbox.push(message) === 1) setImmediate(flush);
  }

  function flush(): void {
    const messages = outbox;
    outbox = [];
    if (!pipe.writable) return;
    pipe.write(encodeFrames(TO_RUNNER, messages));
    if (pipe.writableLength > BEHIND) pipe.pause();
    if (pipe.writableLength > LOST) give('It does not read');
  }

  function give(why: string): void {
    pipe.destroy();
    onFault(why);
  }
}
