import ivm from 'isolated-vm';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import type { FailureDetail, FailureReason, FromRunner, InputKind, LogLevel, ValueKind } from '../host/wire.ts';
import { createHost } from './host.ts';
import type { Slot } from './isolate-pool.ts';

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
  inputKind: InputKind;
  input: string;
  post: (message: FromRunner) => void;
  /** Called once, when nothing of the run executes any more. */
  release: (isReusable: boolean) => void;
  /** Called when the bot has returned to us for the first time; maybe again. */
  onYield: () => void;
  /** Called when a thread goes on after its isolate was disposed: only the end of the process stops it. */
  onStuck: () => void;
};

// A thread stops within milliseconds, or (in one long built-in) perhaps never.
const STOP_MS = 250;

/**
 * One run in a fresh context. One clock covers loading, loops, awaits and promises that never settle: when it strikes, the
 * isolate is disposed, which stops its thread wherever it is.
 */
export function startRun({
  id,
  slot,
  timeoutMs,
  event,
  inputKind,
  input,
  post,
  release,
  onYield,
  onStuck,
}: RunInput): Run {
  const timers = new Map<number, NodeJS.Timeout>();
  const context = slot.isolate.createContextSync();
  const enter = slot.prelude.runSync(context, { reference: true });
  const bot = slot.bot.runSync(context, { reference: true });
  const clock = setTimeout(() => stop('timeout', `The bot took longer than ${timeoutMs} ms`), timeoutMs);
  let executing = 0;
  let since = 0;
  let stopping: NodeJS.Timeout | undefined;
  let isOver = false;
  let logBytes = 0;

  const host = createHost({ log, call, done, failed, startTimer, clearTimer });
  go('start', new ivm.Callback(host, { sync: true }), bot.derefInto(), event, inputKind, input);
  return {
    reply: (callId, ok, value) => go('reply', callId, ok, value),
    check: () => {
      if (slot.isolate.isDisposed && !isOver) outOfMemory();
    },
    executingSince: () => (executing > 0 ? since : undefined),
  };

  function go(...args: unknown[]): void {
    if (isOver) return;
    if (executing === 0) since = performance.now();
    executing += 1;
    enter.apply(undefined, args).catch(explain).finally(leave);
  }

  // What `enter` itself throws it reports through the host; here arrive the isolate's own end and unhandled rejections.
  function explain(error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    if (!slot.isolate.isDisposed) log('error', `Unhandled rejection: ${text.slice(0, 1000)}`);
    else if (!isOver) outOfMemory();
  }

  // Nothing else disposes the isolate of a run that is not over.
  function outOfMemory(): void {
    stop('out-of-memory', `The bot used more than ${slot.memoryMb} MB of memory`);
  }

  function leave(): void {
    executing -= 1;
    onYield();
    if (isOver && executing === 0) free();
  }

  function free(): void {
    clearTimeout(clock);
    clearTimeout(stopping);
    if (!slot.isolate.isDisposed) {
      for (const handle of [enter, bot, context]) handle.release();
    }
    release(!slot.isolate.isDisposed);
  }

  function stop(reason: FailureReason, message: string): void {
    failed(reason, { message });
    if (!slot.isolate.isDisposed) slot.isolate.dispose();
    if (executing === 0) free();
    else stopping = setTimeout(onStuck, STOP_MS);
  }

  // The answer goes out at once; the isolate waits for whatever the bot left running, still under the clock.
  function end(message: FromRunner): void {
    if (isOver) return;
    isOver = true;
    for (const timer of timers.values()) clearTimeout(timer);
    timers.clear();
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
    if (isOver) return false;
    const room = SANDBOX_LIMITS.logBytes - logBytes;
    const bytes = Buffer.from(text);
    logBytes += bytes.length;
    const isCut = bytes.length > room;
    const kept = isCut
      ? `${bytes
          .subarray(0, room)
          .toString()
          .replace(/\uFFFD$/, '')}… (log cut at 64 KiB)`
      : text;
    if (room > 0) post(['log', id, level, kept]);
    return !isCut;
  }

  function startTimer(timerId: number, delayMs: number): void {
    if (isOver || timers.size >= SANDBOX_LIMITS.pendingTimers) return;
    const fire = () => {
      timers.delete(timerId);
      go('timer', timerId);
    };
    // A delay past the clock never fires; Node would turn one past 2^31 into 1 ms.
    timers.set(timerId, setTimeout(fire, Math.min(delayMs, 2 ** 31 - 1)));
  }

  function clearTimer(timerId: number): void {
    clearTimeout(timers.get(timerId));
    timers.delete(timerId);
  }
}
