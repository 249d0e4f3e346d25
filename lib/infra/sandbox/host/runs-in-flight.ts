import { AppError } from '#lib/base/errors.ts';
import { answerCall } from './answer-call.ts';
import { isReadable } from './is-readable.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import type { PendingRun } from './pending-run.ts';
import type { RunFailure, RunResult, RunSuccess } from './run-job.ts';
import type { RunnerProcess } from './runner-process.ts';
import { toFailure } from './to-failure.ts';
import type { FromRunner, Taken } from './wire.ts';

export type RunsInFlightOptions = {
  memoryMb: number;
  graceMs: number;
  /** Nothing of a run executes any more in this process. */
  onEnd: (runner: RunnerProcess) => void;
  /** Every now and then while something of a run executes. */
  onSweep: () => void;
};

export type RunsInFlight = {
  start(pending: PendingRun, runner: RunnerProcess): void;
  /** False when the process may not have said this. */
  receive(message: FromRunner, runner: RunnerProcess): boolean;
  /** Whether it is to be settled yet. */
  has(id: number): boolean;
  /** Takes a run out, unsettled: its process is gone. */
  take(id: number): PendingRun | undefined;
  /** Settles a run whose process ended. */
  crash(pending: PendingRun): void;
  /** Settles a run whose process was ended with the server. */
  cut(pending: PendingRun): void;
  /** Settles a run for which nobody waits, and stops it. */
  cancel(pending: PendingRun): void;
  close(): void;
};

export const CANCELLED = 'The run was cancelled';

type Outcome = RunSuccess | RunFailure;
/** `times`: how often its process has spoken of it since. */
type Late = { runner: RunnerProcess; times: number; until: number };

const SWEEP_MS = 250;
/** A process that does not say of a run that nothing of it executes any more, nor that it is worn, says nothing at all. */
const LATE_MS = 15_000;
/** Past what a process lets through (runner/run-log.ts): its own last line, cut, and one of ours. */
const LOG_CHARACTERS = SANDBOX_LIMITS.logBytes + 2000;
const LOG_LINES = SANDBOX_LIMITS.logBytes / SANDBOX_LIMITS.logLineBytes + 2;
/** Of all calls of a project that wait for their answer, in this process. */
const MOST_HELD = 4 * SANDBOX_LIMITS.pendingCallBytes;
/** Of one run; a bot may ask thousands of times. */
const MOST_ANSWERED = 500;
/** What may be under way of a run when it is settled here. */
const MOST_LATE = LOG_LINES + 3 * SANDBOX_LIMITS.pendingCalls;
/** What a process says of runs that it has not, in all its life. */
const MOST_STRAYS = 100;

/** The runs that are in a process: what it says of each, and an end to those of which it says nothing in time. */
export function createRunsInFlight({ memoryMb, graceMs, onEnd, onSweep }: RunsInFlightOptions): RunsInFlight {
  const runs = new Map<number, PendingRun>();
  /** Runs that are settled and still in their process. */
  const late = new Map<number, Late>();
  /** Characters of calls under way, of each project: also of runs that are over. */
  const held = new Map<string, number>();
  let sweeper: NodeJS.Timeout | undefined;

  return { start, receive, has: (id) => runs.has(id), take, crash, cut, cancel, close };

  function start(pending: PendingRun, runner: RunnerProcess): void {
    const { id, job } = pending;
    pending.runner = runner;
    pending.startedAt = performance.now();
    pending.deadline = pending.startedAt + job.timeoutMs + graceMs;
    runs.set(id, pending);
    runner.start(id, job, memoryMb);
    sweeper ??= setInterval(sweep, SWEEP_MS);
  }

  function receive(message: FromRunner, runner: RunnerProcess): boolean {
    if (message[0] === 'ready' || message[0] === 'worn') return true;
    if (message[0] === 'free') return free(message[1], message[2], runner);
    const pending = runs.get(message[1]);
    if (!pending) return message[0] === 'lost' || mayBeLate(message[1], runner);
    if (pending.runner !== runner) return false;
    switch (message[0]) {
      case 'call':
        return answer(pending, message[2], message[3], message[4]);
      case 'abort':
        pending.calls.get(message[2])?.abort(givenUp());
        pending.givenUp += 1;
        return pending.givenUp <= pending.asked;
      case 'log':
        return keepLine(pending, message[2], message[3]);
      case 'done':
        if (!isReadable(message[2], message[3])) return false;
        finish(pending, { ok: true, value: { kind: message[2], text: message[3] } }, [message[4], message[5]]);
        break;
      case 'failed':
        finish(pending, toFailure(message[2], message[3], message[4], message[5]), [message[6], message[7]]);
        break;
      case 'lost':
        finish(pending, { ok: false, reason: 'out-of-memory', message: 'The bot used more memory than it may' });
    }
    return true;
  }

  function mayBeLate(id: number, runner: RunnerProcess): boolean {
    if (!runner.running.has(id)) {
      runner.strays += 1;
      return runner.strays <= MOST_STRAYS;
    }
    const told = late.get(id);
    if (!told) return false;
    told.times += 1;
    return told.times <= MOST_LATE;
  }

  function answer(pending: PendingRun, callId: number, method: string, args: string): boolean {
    const { runner, id, job, calls } = pending;
    pending.callCharacters += args.length;
    if (calls.has(callId) || calls.size >= SANDBOX_LIMITS.pendingCalls) return false;
    if (pending.callCharacters > SANDBOX_LIMITS.pendingCallBytes || !isReadable('call', args)) return false;
    pending.asked += 1;
    const ending = new AbortController();
    calls.set(callId, ending);
    pending.hasCalled = true;
    const from = performance.now();
    const ofProject = held.get(job.projectId) ?? 0;
    const isTooMuch = ofProject + args.length > MOST_HELD;
    held.set(job.projectId, ofProject + args.length);
    void answerCall(isTooMuch ? refuseTooMuch : job.call, method, args, ending.signal).then(({ ok, value, facts }) => {
      calls.delete(callId);
      release(job.projectId, args.length);
      if (pending.answered.length < MOST_ANSWERED) {
        const [startMs, durationMs] = [from - pending.startedAt, performance.now() - from].map(Math.round);
        pending.answered.push({ method, startMs: startMs!, durationMs: durationMs!, ...facts });
      }
      pending.callCharacters -= args.length;
      if (runs.has(id)) runner!.reply(id, callId, ok, value);
    });
    return true;
  }

  function release(projectId: string, characters: number): void {
    const left = held.get(projectId)! - characters;
    if (left > 0) held.set(projectId, left);
    else held.delete(projectId);
  }

  function keepLine(pending: PendingRun, level: PendingRun['logs'][number]['level'], text: string): boolean {
    pending.logCharacters += text.length;
    if (pending.logCharacters > LOG_CHARACTERS) return false;
    const ms = Math.round(performance.now() - pending.startedAt);
    return pending.logs.push({ level, text, ms }) <= LOG_LINES;
  }

  function take(id: number): PendingRun | undefined {
    const pending = runs.get(id);
    runs.delete(id);
    late.delete(id);
    if (pending) pending.runner = undefined;
    return pending;
  }

  function crash(pending: PendingRun): void {
    finish(pending, { ok: false, reason: 'crashed', message: 'The process that ran the bot ended' });
  }

  function cancel(pending: PendingRun): void {
    pending.runner!.cancel(pending.id);
    cut(pending);
  }

  function cut(pending: PendingRun): void {
    finish(pending, { ok: false, reason: 'cancelled', message: CANCELLED });
  }

  function finish(pending: PendingRun, outcome: Outcome, taken: Taken = [null, null]): void {
    const { id } = pending;
    runs.delete(id);
    const left = [...pending.calls.values()].filter(({ signal }) => !signal.aborted);
    if (outcome.ok && left.length > 0) noteUnawaited(pending, left.length);
    for (const ending of left) ending.abort(givenUp());
    pending.settle(withRun(outcome, pending, taken));
    const { runner } = pending;
    if (runner?.running.has(id)) late.set(id, { runner, times: 0, until: performance.now() + LATE_MS });
  }

  function free(id: number, isolates: number, runner: RunnerProcess): boolean {
    if (runs.has(id) || !runner.running.delete(id)) return false;
    runner.isolates = isolates;
    late.delete(id);
    onEnd(runner);
    return true;
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
    for (const { runner, until } of late.values()) if (until <= now) void runner.kill();
    onSweep();
    if (runs.size === 0 && late.size === 0) close();
  }

  function close(): void {
    clearInterval(sweeper);
    sweeper = undefined;
  }
}

function refuseTooMuch(): Promise<never> {
  const text = 'What bots of this project ask for at this moment is larger than 64 MiB in all';
  return Promise.reject(new AppError('too-many-requests', text));
}

/** Nobody hears of it but the room that was to do it. */
function givenUp(): AppError {
  return new AppError('conflict', 'The run is over, or gave this up');
}

function noteUnawaited({ logs, startedAt }: PendingRun, count: number): void {
  const text = `The bot ended while ${count} of its calls were not answered: those that had not begun are not made. Await them.`;
  logs.push({ level: 'warn', text, ms: Math.round(performance.now() - startedAt) });
}

function withRun(outcome: Outcome, { logs, answered, startedAt }: PendingRun, [cpuUs, heapKb]: Taken): RunResult {
  const durationMs = performance.now() - startedAt;
  return { ...outcome, logs, calls: answered, durationMs, ...(cpuUs !== null && { usage: [cpuUs, heapKb] }) };
}
