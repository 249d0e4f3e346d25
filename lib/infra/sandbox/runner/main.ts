import { Socket } from 'node:net';
import type { FailureReason, FromRunner, ToRunner } from '../host/wire.ts';
import { dropUser } from '../walls/drop-user.ts';
import { PIPE } from '../walls/pipe.ts';
import { encodeFrames } from '../wire/encode-frames.ts';
import { createFrameReader } from '../wire/frame-reader.ts';
import { FROM_RUNNER, TO_RUNNER } from '../wire/layouts.ts';
import { createIsolatePool, type IsolatePool } from './isolate-pool.ts';
import { makeAhead } from './make-context.ts';
import { type Run, startRun } from './run.ts';
import type { Slot } from './slot.ts';
import { watchRuns } from './watch-runs.ts';

type RunMessage = Extract<ToRunner, ['run', ...unknown[]]>;

/**
 * The process that runs bots: no environment, no files, no network of ours; it knows only what the supervisor sends.
 * It leaves when the supervisor does.
 */
const runs = new Map<number, Run>();
const backlog: RunMessage[] = [];
let pool: IsolatePool | undefined;
let watch = () => {};
let outbox: FromRunner[] = [];
let starting = 0;

const MAX_STARTING = 2;
const TURN_MS = 20;
const NO_START = 'The isolate could not start the bot';

dropUser();
const pipe = new Socket({ fd: PIPE });
const reader = createFrameReader(TO_RUNNER, (message) => receive(message as ToRunner));
pipe.on('data', (chunk) => reader.push(chunk));
pipe.on('close', leave);
// It is closed then.
pipe.on('error', () => undefined);
// Ctrl-C reaches every process of the terminal. When this one is to end, the supervisor says so: what runs may finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function receive(message: ToRunner): void {
  switch (message[0]) {
    case 'init':
      pool = createIsolatePool(message[1], message[4], message[3] * 1024 * 1024);
      watch = watchRuns({ runs, processMemoryMb: message[2], onWorn, onLost });
      post(['ready']);
      break;
    case 'load':
      pool!.load(message[1], message[2], message[3]);
      break;
    case 'unload':
      pool!.unload(message[1]);
      break;
    case 'run':
      backlog.push(message);
      startNext();
      break;
    case 'reply':
      runs.get(message[1])?.reply(message[2], message[3] === 1, message[4]);
      break;
    case 'cancel':
      cancel(message[1]);
  }
}

function cancel(runId: number): void {
  const index = backlog.findIndex((message) => message[1] === runId);
  if (index >= 0) {
    backlog.splice(index, 1);
    post(['free', runId, pool!.count()]);
  } else runs.get(runId)?.cancel();
}

// More isolates at work than there are cores only wear out the caches: a run starts when another has come to its first
// await, or has had its share of time.
function startNext(): void {
  while (starting < MAX_STARTING && backlog.length > 0) {
    starting += 1;
    const message = backlog.shift()!;
    const turn = setTimeout(endTurn, TURN_MS);
    let hasEnded = false;
    start(message, endTurn);

    function endTurn(): void {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(turn);
      starting -= 1;
      startNext();
    }
  }
}

function start(message: RunMessage, onYield: () => void): void {
  const [, id, versionKey, memoryMb, timeoutMs, event, inputKind, input] = message;
  const slot = take(id, versionKey, memoryMb);
  if ('reason' in slot) {
    post(['failed', id, slot.reason, slot.message, undefined, undefined, null, null]);
    post(['free', id, pool!.count()]);
    onYield();
    return;
  }
  const release = (isReusable: boolean) => {
    runs.delete(id);
    pool!.give(slot, isReusable);
    post(['free', id, pool!.count()]);
    setImmediate(() => backlog.length === 0 && makeAhead(slot));
  };
  try {
    const run = { id, slot, timeoutMs, event, inputKind, input, post, release, onYield, onStuck: onWorn };
    runs.set(id, startRun(run));
    watch();
  } catch {
    // The isolate could not even make a context.
    post(['failed', id, 'crashed', NO_START, undefined, undefined, null, null]);
    release(false);
    onYield();
  }
}

function take(runId: number, versionKey: string, memoryMb: number): Slot | { reason: FailureReason; message: string } {
  try {
    const slot = pool!.take(versionKey, memoryMb, () => onLost(runId));
    return 'error' in slot ? { reason: 'load-error', message: slot.error } : slot;
  } catch {
    // There is no thread or no room for another isolate.
    return { reason: 'crashed', message: NO_START };
  }
}

// One write for what one turn of the loop produced.
function post(message: FromRunner): void {
  if (outbox.push(message) === 1) setImmediate(() => flush());
}

function flush(then?: () => void): void {
  const messages = outbox;
  outbox = [];
  pipe.write(encodeFrames(FROM_RUNNER, messages), then);
}

function onWorn(): void {
  post(['worn']);
}

// V8 has given up on an isolate, or memory is short: say whose it was, then end the process.
function onLost(runId: number): void {
  outbox.push(['lost', runId]);
  flush(leave);
}

// Not process.exit: that waits for threads, and a bot's thread may be in a loop.
function leave(): void {
  process.kill(process.pid, 'SIGKILL');
}
