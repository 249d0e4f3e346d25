import type {
  BotFailure,
  EventKind,
  FailureDetail,
  FailureReason,
  FromRunner,
  LogLevel,
  Taken,
  ValueKind,
} from '../host/wire.ts';
import { tooCostly } from '../wire/too-costly.ts';
import { describeFailure, type Thrown } from './describe-failure.ts';
import { createHost } from './host.ts';
import { createRunCalls } from './run-calls.ts';
import { createRunContext } from './run-context.ts';
import { createRunLog } from './run-log.ts';
import { createRunTimers } from './run-timers.ts';
import type { Slot } from './slot.ts';
import { toResult, Unserializable } from './to-result.ts';
import { createUsage } from './usage.ts';

export type Run = {
  reply(callId: number, ok: boolean, value: string | undefined): void;
  /** Ends the run when V8 has given up its isolate: some loops go on for long after that. */
  check(): void;
  /** When the bot last got the thread; undefined while it waits. */
  executingSince(): number | undefined;
  /** Stops it wherever it is, without a word: nobody waits for its end. */
  cancel(): void;
};

export type RunInput = {
  id: number;
  slot: Slot;
  timeoutMs: number;
  event: string;
  inputKind: EventKind;
  input: string;
  post: (message: FromRunner) => void;
  /** Called once, when nothing of the run executes any more. */
  release: (isReusable: boolean) => void;
  /** Called when the bot has returned to us for the first time; maybe again. */
  onYield: () => void;
  /** Called when a thread goes on after its isolate was disposed: only the end of the process stops it. */
  onStuck: () => void;
};

/** What a bot leaves running after its answer gets so long. */
const AFTER_MS = 250;
/** Nearly every bot has ended by then: its answer and the news that it is gone are one message. */
const SOON_MS = 5;
const TOO_MUCH = 'too large, too many values, or nested too deeply';

/**
 * One run in a fresh context. One clock covers loading, loops, awaits and promises that never settle: when it strikes, the
 * isolate is disposed, which stops its thread wherever it is.
 */
export function startRun({ id, slot, timeoutMs, event, inputKind, input, post, ...events }: RunInput): Run {
  const { onYield, onStuck } = events;
  const context = createRunContext({ slot, onError, onYield, onStuck, onFree });
  let clock = setTimeout(() => stop('timeout', `The bot took longer than ${timeoutMs} ms`), timeoutMs);
  const timers = createRunTimers((timerId) => context.enter('timer', timerId));
  const calls = createRunCalls();
  const writeLog = createRunLog<LogLevel>((level, text) => post(['log', id, level, text]));
  let isOver = false;
  let last: ((taken: Taken) => FromRunner) | undefined;
  const usage = createUsage(slot);

  const ways = createHost({
    log,
    call,
    abort,
    done,
    failed: threw,
    startTimer,
    clearTimer: timers.clear,
    core: slot.core,
    breach,
  });
  context.start(ways, event, inputKind, input);
  return {
    reply(callId, ok, value) {
      calls.end(callId);
      answer(callId, ok, value);
    },
    check: () => {
      if (slot.isolate.isDisposed && !isOver) outOfMemory();
    },
    executingSince: context.executingSince,
    cancel() {
      end();
      context.stop();
    },
  };

  // What the prelude itself throws it reports through the host; here arrive the isolate's own end and unhandled rejections.
  function onError(error: unknown): void {
    if (!slot.isolate.isDisposed) log('error', `Unhandled rejection: ${inWords(error)}`);
    else if (!isOver) outOfMemory();
  }

  // Nothing else disposes the isolate of a run that is not over.
  function outOfMemory(): void {
    stop('out-of-memory', `The bot used more than ${slot.memoryMb} MB of memory`);
  }

  function stop(reason: FailureReason, message: string): void {
    failed(reason, { message });
    context.stop();
  }

  function onFree(isReusable: boolean): void {
    clearTimeout(clock);
    if (isReusable) usage.measureHeap();
    say();
    events.release(isReusable);
  }

  function end(message?: typeof last): void {
    if (isOver) return;
    isOver = true;
    usage.measureCpu();
    context.close();
    timers.clearAll();
    clearTimeout(clock);
    last = message;
    clock = setTimeout(() => {
      say();
      clock = setTimeout(context.stop, AFTER_MS);
    }, SOON_MS);
  }

  function say(): void {
    if (last) post(last(usage.taken()));
    last = undefined;
  }

  function done(kind: ValueKind, text: string): void {
    if (isOver) return;
    try {
      const result = toResult(kind, text);
      end((taken) => ['done', id, result.kind, result.text, ...taken]);
    } catch (error) {
      if (!(error instanceof Unserializable)) throw error;
      failed('unserializable', { message: error.message });
    }
  }

  function threw(reason: BotFailure, thrown: Thrown): void {
    if (!isOver) failed(reason, describeFailure(thrown, slot.stackMap));
  }

  function failed(reason: FailureReason, { message, stack, outcome }: FailureDetail): void {
    end((taken) => ['failed', id, reason, message, stack, outcome, ...taken]);
  }

  // Not while its thread is in a call of ours.
  function breach(): void {
    failed('breach', { message: 'The bot tried to leave its sandbox' });
    setImmediate(context.stop);
  }

  function call(callId: number, method: string, args: string): void {
    if (isOver) return;
    if (calls.begin(callId, args)) post(['call', id, callId, method, args]);
    else answer(callId, false, JSON.stringify(tooCostly(`${method}: ${TOO_MUCH}`)));
  }

  function answer(callId: number, ok: boolean, value: string | undefined): void {
    context.enter('reply', callId, ok, value);
  }

  function abort(callId: number): void {
    if (!isOver && calls.giveUp(callId)) post(['abort', id, callId]);
  }

  function log(level: LogLevel, text: string): boolean {
    return !isOver && writeLog(level, slot.stackMap.ofLog(text));
  }

  function startTimer(timerId: number, delayMs: number): void {
    if (!isOver) timers.start(timerId, delayMs);
  }
}

/** It is a copy of what the bot rejected with: turning an object of its making into text may fail, or never end. */
function inWords(error: unknown): string {
  const text = error instanceof Error ? error.message : error;
  return typeof text === 'object' ? 'an object' : String(text).slice(0, 1000);
}
