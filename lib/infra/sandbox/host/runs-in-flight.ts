import { answerCall } from './answer-call.ts';
import type { PendingRun } from './pending-run.ts';
import type { RunResult } from './run-job.ts';
import type { RunnerProcess } from './runner-process.ts';
import { toFailure, toSuccess } from './to-run-result.ts';
import type { FromRunner } from './wire.ts';

export type RunsInFlightOptions = {
  memoryMb: number;
  graceMs: number;
  /** A run of this process is settled. */
  onEnd: (runner: RunnerProcess) => void;
  /** Every now and then while there are runs. */
  onSweep: (now: number) => void;
};

export type RunsInFlight = {
  start(pending: PendingRun, runner: RunnerProcess): void;
  receive(message: FromRunner): void;
  /** Takes a run out, unsettled. */
  take(id: number): PendingRun | undefined;
  /** Settles a run whose process ended. */
  crash(pending: PendingRun): void;
  close(): void;
};

type Outcome = ReturnType<typeof toSuccess>;

const SWEEP_MS = 250;

/** The runs that are in a process: what it says of each, and an end to those of which it says nothing in time. */
export function createRunsInFlight({ memoryMb, graceMs, onEnd, onSweep }: RunsInFlightOptions): RunsInFlight {
  const runs = new Map<number, PendingRun>();
  let sweeper: NodeJS.Timeout | undefined;

  return { start, receive, take, crash, close };

  function start(pending: PendingRun, runner: RunnerProcess): void {
    const { id, job } = pending;
    pending.runner = runner;
    pending.startedAt = performance.now();
    pending.deadline = pending.startedAt + job.timeoutMs + graceMs;
    runs.set(id, pending);
    runner.start(id, job, memoryMb);
    sweeper ??= setInterval(sweep, SWEEP_MS);
  }

  function receive(message: FromRunner): void {
    if (message[0] === 'ready' || message[0] === 'worn') return;
    const pending = runs.get(message[1]);
    if (!pending) return;
    switch (message[0]) {
      case 'call':
        answer(pending, message[2], message[3], message[4]);
        break;
      case 'log':
        pending.logs.push({ level: message[2], text: message[3] });
        break;
      case 'done':
        finish(pending, toSuccess(message[2], message[3]));
        break;
      case 'failed':
        finish(pending, toFailure(message[2], message[3], pending.job.sourceMap));
        break;
      case 'lost':
        finish(pending, { ok: false, reason: 'out-of-memory', message: 'The bot used more memory than it may' });
    }
  }

  function answer(pending: PendingRun, callId: number, method: string, args: string): void {
    pending.hasCalled = true;
    const { runner, id, job } = pending;
    void answerCall(job.call, method, args).then(({ ok, value }) => runner!.reply(id, callId, ok, value));
  }

  function take(id: number): PendingRun | undefined {
    const pending = runs.get(id);
    runs.delete(id);
    return pending;
  }

  function crash(pending: PendingRun): void {
    finish(pending, { ok: false, reason: 'crashed', message: 'The process that ran the bot ended' });
  }

  function finish(pending: PendingRun, outcome: Outcome): void {
    const { id, runner } = pending;
    runs.delete(id);
    runner!.running.delete(id);
    pending.settle(withRun(outcome, pending));
    if (runs.size === 0) close();
    onEnd(runner!);
  }

  // A runner ends its own runs in time. One that does not is stuck as a whole: kill it.
  function sweep(): void {
    const now = performance.now();
    for (const pending of runs.values()) {
      if (pending.deadline > now) continue;
      const message = `The bot took longer than ${pending.job.timeoutMs} ms`;
      finish(pending, { ok: false, reason: 'timeout', message });
      void pending.runner!.kill();
    }
    onSweep(now);
  }

  function close(): void {
    clearInterval(sweeper);
    sweeper = undefined;
  }
}

function withRun(outcome: Outcome, { logs, startedAt }: PendingRun): RunResult {
  return { ...outcome, logs, durationMs: performance.now() - startedAt };
}
