import { AppError } from '#lib/base/errors.ts';
import { countRun } from '../../metrics/count.ts';
import { findWalls } from '../walls/find-walls.ts';
import { newRun, type PendingRun, resetRun } from './pending-run.ts';
import { loadPrelude } from './prelude.ts';
import type { RunJob, RunResult } from './run-job.ts';
import { createRunnerPool } from './runner-pool.ts';
import type { RunnerProcess } from './runner-process.ts';
import { runnerSizes } from './runner-sizes.ts';
import { CANCELLED, createRunsInFlight } from './runs-in-flight.ts';
import { createWaitingRuns } from './waiting-runs.ts';
import { unwatchSandbox, watchSandbox } from './watch-sandbox.ts';

export type SupervisorOptions = {
  /** Runner processes that are kept, and at most for one project. Default as runner-sizes.ts says, by the cores and the server processes. */
  processes?: number;
  /** While so many projects run at once. Default one for each 512 MiB of this server process's share of the machine's memory, from 4 to 32. */
  maxProcesses?: number;
  /** Of isolates that wait in one process. */
  idleMb?: number;
  /** Of one run. Default 128. */
  memoryMb?: number;
  /** Of a whole process: past it the process is replaced. Default 1024. */
  processMemoryMb?: number;
  /** Runs at once in one process; more wait. Default 32. */
  runsPerProcess?: number;
  /** How long past its timeout a run may live before its process is killed. Default 1000. */
  graceMs?: number;
};

export type Supervisor = {
  /** Runs a bot once. Whatever the bot does is a result; it rejects only when we cannot run bots (AppError unavailable), or cannot in time. */
  run(job: RunJob): Promise<RunResult>;
  /** Kills the processes; runs in flight end as `crashed`. */
  close(): Promise<void>;
};

/**
 * Shares the runs out to the processes (runner-pool.ts), project by project in turn, follows them (runs-in-flight.ts), and repeats those of
 * a lost process that had no effect yet. How many of a project may run at once is the caller's to say.
 */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const sizes = runnerSizes();
  const { processes = sizes.processes, idleMb = sizes.idleMb, processMemoryMb = 1024 } = options;
  const { maxProcesses = Math.max(processes, sizes.maxProcesses) } = options;
  const { runsPerProcess = 32, memoryMb = 128, graceMs = 1000 } = options;
  const waiting = createWaitingRuns();
  let lastRun = 0;
  let isClosed = false;
  const pool = createRunnerPool({
    processes,
    maxProcesses,
    processMemoryMb,
    idleMb,
    runsPerProcess,
    onFree: dispatch,
    onMessage: (message, runner) => inFlight.receive(message, runner),
    isAwaited: (id) => inFlight.has(id),
    onExit: recover,
    onBroken: () => refuseWaiting('Bots cannot run now'),
  });
  const inFlight = createRunsInFlight({ memoryMb, graceMs, onEnd, onSweep: pool.endLost });

  const watched = { runners: pool.runners, waiting: waiting.count };
  watchSandbox(watched);
  return { run, close };

  async function run(job: RunJob): Promise<RunResult> {
    const [prelude, walls] = await Promise.all([loadPrelude(), findWalls()]);
    if (isClosed) throw new AppError('unavailable', 'The server is shutting down');
    const cancelled = () => cancel(pending);
    const { promise, resolve, reject } = Promise.withResolvers<RunResult>();
    lastRun += 1;
    const pending = newRun(lastRun, job, { settle, refuse: reject });
    waiting.add(pending);
    job.signal?.addEventListener('abort', cancelled);
    if (job.signal?.aborted) cancelled();
    pool.fill(prelude, walls);
    dispatch();
    const clock = job.waits && !pending.runner ? setTimeout(late, job.waits.mostMs).unref() : undefined;
    return promise.finally(() => {
      clearTimeout(clock);
      job.signal?.removeEventListener('abort', cancelled);
    });

    function late(): void {
      // One that has begun once has had its turn.
      if (pending.lostAt === undefined && waiting.remove(pending)) reject(job.waits!.late());
    }

    function settle(result: RunResult): void {
      countRun(result.ok ? 'ok' : result.reason);
      resolve(result);
    }
  }

  function cancel(pending: PendingRun): void {
    if (!waiting.remove(pending)) inFlight.cancel(pending);
    else pending.settle({ ok: false, reason: 'cancelled', message: CANCELLED, logs: [], calls: [], durationMs: 0 });
  }

  function dispatch(): void {
    waiting.startAll((pending) => {
      const runner = pool.pick(pending);
      if (runner) inFlight.start(pending, runner);
      return runner !== undefined;
    });
    if (!waiting.isEmpty()) pool.grow();
  }

  function onEnd(runner: RunnerProcess): void {
    pool.release(runner);
    dispatch();
  }

  function recover({ running }: RunnerProcess, signal: string | null): void {
    // V8 ended it, and there is only one run that can have been why.
    const isToBlame = signal !== 'SIGKILL' && running.size === 1;
    for (const id of [...running.keys()].reverse()) {
      const pending = inFlight.take(id);
      if (pending) repeatOrFail(pending, isToBlame);
    }
  }

  function repeatOrFail(pending: PendingRun, isToBlame: boolean): void {
    if (isClosed) {
      // By who stops the server, and not by what the bot did.
      inFlight.cut(pending);
      return;
    }
    if (isToBlame || pending.hasCalled || pending.lostAt !== undefined) {
      inFlight.crash(pending);
      return;
    }
    lastRun += 1;
    resetRun(pending, lastRun);
    waiting.addFirst(pending);
  }

  async function close(): Promise<void> {
    isClosed = true;
    refuseWaiting('The server is shutting down');
    await pool.close();
    inFlight.close();
    unwatchSandbox(watched);
  }

  function refuseWaiting(message: string): void {
    for (const pending of waiting.takeAll()) pending.refuse(new AppError('unavailable', message));
  }
}
