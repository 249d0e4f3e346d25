import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { answerCall } from './answer-call.ts';
import { loadPrelude } from './prelude.ts';
import type { RunJob, RunResult } from './run-job.ts';
import { type RunnerProcess, spawnRunner } from './runner-process.ts';
import { toFailure, toSuccess } from './to-run-result.ts';
import type { FromRunner, LogLevel } from './wire.ts';

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

type Pending = {
  id: number;
  job: RunJob;
  runner?: RunnerProcess;
  startedAt: number;
  deadline: number;
  logs: { level: LogLevel; text: string }[];
  /** After a bridge call a run has effects, and may not be repeated. */
  hasCalled: boolean;
  isRetry: boolean;
  settle: (result: RunResult) => void;
  refuse: (error: unknown) => void;
};

const MAX_START_FAILURES = 5;
const SWEEP_MS = 250;
const DRAIN_MS = 2000;

/** Owns the processes that bots run in: starts them when first needed, shares the work out, kills and replaces what is stuck. */
export function createSupervisor(options: SupervisorOptions = {}): Supervisor {
  const {
    processes = 2,
    memoryMb = 128,
    processMemoryMb = 1024,
    runsPerProcess = 32,
    maxWaiting = 1000,
    graceMs = 1000,
  } = options;
  const runners = new Set<RunnerProcess>();
  const waiting: Pending[] = [];
  const inFlight = new Map<number, Pending>();
  let lastRun = 0;
  let startFailures = 0;
  let isClosed = false;
  let sweeper: NodeJS.Timeout | undefined;

  return { run, close };

  async function run(job: RunJob): Promise<RunResult> {
    const prelude = await loadPrelude();
    if (isClosed) throw new AppError('unavailable', 'The server is shutting down');
    if (waiting.length >= maxWaiting) throw new AppError('unavailable', 'Too many bots are waiting to run');
    return new Promise<RunResult>((settle, refuse) => {
      lastRun += 1;
      const times = { startedAt: 0, deadline: 0 };
      waiting.push({ id: lastRun, job, ...times, logs: [], hasCalled: false, isRetry: false, settle, refuse });
      while (runners.size < processes && !isClosed) addRunner(prelude);
      dispatch();
    });
  }

  function addRunner(prelude: string): void {
    const runner = spawnRunner(prelude, processMemoryMb, {
      onReady: () => {
        startFailures = 0;
        dispatch();
      },
      onMessage: (message) => (message[0] === 'worn' ? retire(runner, prelude) : receive(message)),
      onExit: (signal) => replace(runner, signal, prelude),
    });
    runners.add(runner);
  }

  function dispatch(): void {
    while (waiting.length > 0) {
      const runner = pickRunner(waiting[0]!.job.versionKey);
      if (!runner) return;
      start(waiting.shift()!, runner);
    }
  }

  // The least busy process; one that has the version warm may be two runs busier.
  function pickRunner(versionKey: string): RunnerProcess | undefined {
    const cost = (runner: RunnerProcess) => runner.running.size - (runner.hasVersion(versionKey) ? 2 : 0);
    const free = [...runners].filter(
      (runner) => runner.isReady && !runner.retireBy && runner.running.size < runsPerProcess,
    );
    return free.sort((a, b) => cost(a) - cost(b))[0];
  }

  function start(pending: Pending, runner: RunnerProcess): void {
    const { job } = pending;
    pending.runner = runner;
    pending.startedAt = performance.now();
    pending.deadline = pending.startedAt + job.timeoutMs + graceMs;
    inFlight.set(pending.id, pending);
    runner.start(pending.id, job, memoryMb);
    sweeper ??= setInterval(sweep, SWEEP_MS);
  }

  function receive(message: FromRunner): void {
    if (message[0] === 'ready' || message[0] === 'worn') return;
    const pending = inFlight.get(message[1]);
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

  function answer(pending: Pending, callId: number, method: string, args: string): void {
    pending.hasCalled = true;
    const { runner, id, job } = pending;
    void answerCall(job.call, method, args).then(({ ok, value }) => runner!.reply(id, callId, ok, value));
  }

  function finish(pending: Pending, outcome: Parameters<typeof withRun>[0]): void {
    inFlight.delete(pending.id);
    pending.runner?.running.delete(pending.id);
    if (pending.runner?.retireBy && pending.runner.running.size === 0) void pending.runner.kill();
    pending.settle(withRun(outcome, pending));
    if (inFlight.size === 0) stopSweeping();
    dispatch();
  }

  // A runner ends its own runs in time. One that does not is stuck as a whole: kill it.
  function sweep(): void {
    const now = performance.now();
    for (const pending of inFlight.values()) {
      if (pending.deadline > now) continue;
      const message = `The bot took longer than ${pending.job.timeoutMs} ms`;
      const { runner } = pending;
      finish(pending, { ok: false, reason: 'timeout', message });
      void runner?.kill();
    }
    for (const runner of runners) {
      if (runner.retireBy && runner.retireBy <= now) void runner.kill();
    }
  }

  // Its neighbours get time to end; what made it worn goes on until then.
  function retire(runner: RunnerProcess, prelude: string): void {
    if (runner.retireBy || isClosed) return;
    runner.retireBy = performance.now() + DRAIN_MS;
    addRunner(prelude);
    if (runner.running.size === 0) void runner.kill();
  }

  function replace(runner: RunnerProcess, signal: string | null, prelude: string): void {
    runners.delete(runner);
    if (!runner.isReady) startFailures += 1;
    if (!isClosed) log.warn({ signal, runs: runner.running.size, startFailures }, 'a bot process ended');
    // V8 ended it, and there is only one run that can have been why.
    const isToBlame = signal !== 'SIGKILL' && runner.running.size === 1;
    for (const id of [...runner.running].reverse()) retryOrFail(inFlight.get(id), isToBlame);
    if (isClosed) return;
    if (startFailures >= MAX_START_FAILURES) refuseWaiting('Bots cannot run now');
    else if (!runner.retireBy) addRunner(prelude);
    dispatch();
  }

  function retryOrFail(pending: Pending | undefined, isToBlame: boolean): void {
    if (!pending) return;
    if (isClosed || isToBlame || pending.hasCalled || pending.isRetry) {
      finish(pending, { ok: false, reason: 'crashed', message: 'The process that ran the bot ended' });
      return;
    }
    inFlight.delete(pending.id);
    lastRun += 1;
    waiting.unshift({ ...pending, id: lastRun, logs: [], isRetry: true });
  }

  async function close(): Promise<void> {
    isClosed = true;
    refuseWaiting('The server is shutting down');
    await Promise.all([...runners].map((runner) => runner.kill()));
    stopSweeping();
  }

  function refuseWaiting(message: string): void {
    for (const pending of waiting.splice(0)) pending.refuse(new AppError('unavailable', message));
  }

  function stopSweeping(): void {
    clearInterval(sweeper);
    sweeper = undefined;
  }
}

function withRun(outcome: ReturnType<typeof toSuccess>, { logs, startedAt }: Pending): RunResult {
  return { ...outcome, logs, durationMs: performance.now() - startedAt };
}
