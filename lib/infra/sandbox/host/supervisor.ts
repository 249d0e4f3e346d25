import { AppError } from '#lib/base/errors.ts';
import { newRun, type PendingRun } from './pending-run.ts';
import { loadPrelude } from './prelude.ts';
import type { RunJob, RunResult } from './run-job.ts';
import { createRunnerPool } from './runner-pool.ts';
import type { RunnerProcess } from './runner-process.ts';
import { createRunsInFlight } from './runs-in-flight.ts';

export type SupervisorOptions = {
  /** Runner processes. Default 2. */
  processes?: number;
  /** Of one run. Default 128. */
  memoryMb?: number;
  /** Of a whole process: past it the process is replaced. Default 1024. */
  processMemoryMb?: number;
  /** Runs at once in one process; more wait. Default 32. */
  runsPerProcess?: number;
  /** Runs that may wait; more are refused. Default 1000. */
  maxWaiting?: number;
  /** How long past its timeout a run may live before its process is killed. Default 1000. */
  graceMs?: number;
};

export type Supervisor = {
  /** Runs a bot once. Whatever the bot does is a result; it rejects only when we cannot run bots (AppError unavailable). */
  run(job: RunJob): Promise<RunResult>;
  /** Kills the processes; runs in flight end as `crashed`. */
  close(): Promise<void>;
};

/** Shares the runs out to the processes (runner-pool.ts), follows them (runs-in-flight.ts), and repeats what a lost process had not begun. */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const { processes = 2, processMemoryMb = 1024, runsPerProcess = 32, maxWaiting = 1000 } = options;
  const { memoryMb = 128, graceMs = 1000 } = options;
  const waiting: PendingRun[] = [];
  let lastRun = 0;
  let isClosed = false;
  const pool = createRunnerPool({
    processes,
    processMemoryMb,
    runsPerProcess,
    onFree: dispatch,
    onMessage: (message) => inFlight.receive(message),
    onExit: recover,
    onBroken: () => refuseWaiting('Bots cannot run now'),
  });
  const inFlight = createRunsInFlight({ memoryMb, graceMs, onEnd, onSweep: pool.endRetired });

  return { run, close };

  async function run(job: RunJob): Promise<RunResult> {
    const prelude = await loadPrelude();
    if (isClosed) throw new AppError('unavailable', 'The server is shutting down');
    if (waiting.length >= maxWaiting) throw new AppError('unavailable', 'Too many bots are waiting to run');
    return new Promise<RunResult>((settle, refuse) => {
      lastRun += 1;
      waiting.push(newRun(lastRun, job, { settle, refuse }));
      pool.fill(prelude);
      dispatch();
    });
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const runner = pool.pick(waiting[0]!.job.versionKey);
      if (!runner) return;
      inFlight.start(waiting.shift()!, runner);
    }
  }

  function onEnd(runner: RunnerProcess): void {
    pool.release(runner);
    dispatch();
  }

  function recover({ running }: RunnerProcess, signal: string | null): void {
    // V8 ended it, and there is only one run that can have been why.
    const isToBlame = signal !== 'SIGKILL' && running.size === 1;
    for (const id of [...running].reverse()) {
      const pending = inFlight.take(id);
      if (pending) retryOrFail(pending, isToBlame);
    }
  }

  function retryOrFail(pending: PendingRun, isToBlame: boolean): void {
    if (isClosed || isToBlame || pending.hasCalled || pending.isRetry) {
      inFlight.crash(pending);
      return;
    }
    lastRun += 1;
    waiting.unshift({ ...pending, id: lastRun, logs: [], isRetry: true });
  }

  async function close(): Promise<void> {
    isClosed = true;
    refuseWaiting('The server is shutting down');
    await pool.close();
    inFlight.close();
  }

  function refuseWaiting(message: string): void {
    for (const pending of waiting.splice(0)) pending.refuse(new AppError('unavailable', message));
  }
}
