import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { EventKind, FailureDetail, FailureReason, FromRunner, LogLevel, ValueKind } from '../host/wire.ts';
import { createHost } from './host.ts';
import type { Slot } from './isolate-pool.ts';
import { createRunContext } from './run-context.ts';
import { createRunLog } from './run-log.ts';
import { createRunTimers } from './run-timers.ts';

export type Run = {
  reply(callId: number, ok: boolean, value: string | undefined): void;
  /** Ends the run when V8 has given up its isolate: some loops go on for long after that. */
  check(): void;
  /** When the bot last got the thread; undefined while it waits. */
  executingSince(): number | undefined;
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

/**
 * One run in a fresh context. One clock covers loading, loops, awaits and promises that never settle: when it strikes, the
 * isolate is disposed, which stops its thread wherever it is.
 */
export function startRun({ id, slot, timeoutMs, event, inputKind, input, post, ...events }: RunInput): Run {
  const { onYield, onStuck } = events;
  const context = createRunContext({ slot, onError, onYield, onStuck, onFree });
  const clock = setTimeout(() => stop('timeout', `The bot took longer than ${timeoutMs} ms`), timeoutMs);
  const timers = createRunTimers((timerId) => context.enter('timer', timerId));
  const writeLog = createRunLog<LogLevel>((level, text) => post(['log', id, level, text]));
  let isOver = false;

  const host = createHost({ log, call, done, failed, startTimer, clearTimer: timers.clear });
  context.start(host, event, inputKind, input);
  return {
    reply: (callId, ok, value) => context.enter('reply', callId, ok, value),
    check: () => {
      if (slot.isolate.isDisposed && !isOver) outOfMemory();
    },
    executingSince: context.executingSince,
  };

  // What the prelude itself throws it reports through the host; here arrive the isolate's own end and unhandled rejections.
  function onError(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (!slot.isolate.isDisposed) log('error', `Unhandled rejection: ${text.slice(0, 1000)}`);
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
    events.release(isReusable);
  }

  // The answer goes out at once; the isolate waits for whatever the bot left running, still under the clock.
  function end(message: FromRunner): void {
    if (isOver) return;
    isOver = true;
    context.close();
    timers.clearAll();
    post(message);
  }

  function done(kind: ValueKind, text: string): void {
    if (Buffer.byteLength(text) <= SANDBOX_LIMITS.resultBytes) end(['done', id, kind, text]);
    else failed('unserializable', { message: 'The result is larger than 6 MiB' });
  }

  function failed(reason: FailureReason, detail: FailureDetail): void {
    end(['failed', id, reason, detail]);
  }

  function call(callId: number, method: string, args: string): void {
    if (!isOver) post(['call', id, callId, method, args]);
  }

  function log(level: LogLevel, text: string): boolean {
    return !isOver && writeLog(level, text);
  }

  function startTimer(timerId: number, delayMs: number): void {
    if (!isOver) timers.start(timerId, delayMs);
  }
}
