import { log } from '#lib/base/log.ts';
import { type RunnerProcess, spawnRunner } from './runner-process.ts';
import type { FromRunner } from './wire.ts';

export type RunnerPoolOptions = {
  processes: number;
  processMemoryMb: number;
  runsPerProcess: number;
  /** There may be room for a run. */
  onFree: () => void;
  onMessage: (message: FromRunner) => void;
  /** A process ended, with what stands in `running`. */
  onExit: (runner: RunnerProcess, signal: string | null) => void;
  /** No process starts any more. */
  onBroken: () => void;
};

export type RunnerPool = {
  /** Starts the processes that are missing. */
  fill(prelude: string): void;
  /** The least busy process that has room; one that has the version warm may be two runs busier. */
  pick(versionKey: string): RunnerProcess | undefined;
  /** A run of this process has ended. */
  release(runner: RunnerProcess): void;
  /** Kills those whose time to drain is over. */
  endRetired(now: number): void;
  close(): Promise<void>;
};

const MAX_START_FAILURES = 5;
const DRAIN_MS = 2000;

/** The processes that bots run in: started when first needed, replaced when they end or wear out. */
export function createRunnerPool(options: RunnerPoolOptions): RunnerPool {
  const { processes, processMemoryMb, runsPerProcess, onFree, onMessage, onExit, onBroken } = options;
  const runners = new Set<RunnerProcess>();
  let startFailures = 0;
  let isClosed = false;

  return { fill, pick, release, endRetired, close };

  function fill(prelude: string): void {
    while (runners.size < processes && !isClosed) add(prelude);
  }

  function add(prelude: string): void {
    const runner = spawnRunner(prelude, processMemoryMb, {
      onReady: () => {
        startFailures = 0;
        onFree();
      },
      onMessage: (message) => (message[0] === 'worn' ? retire(runner, prelude) : onMessage(message)),
      onExit: (signal) => replace(runner, signal, prelude),
    });
    runners.add(runner);
  }

  function pick(versionKey: string): RunnerProcess | undefined {
    const cost = (runner: RunnerProcess) => runner.running.size - (runner.hasVersion(versionKey) ? 2 : 0);
    const free = [...runners].filter(
      (runner) => runner.isReady && !runner.retireBy && runner.running.size < runsPerProcess,
    );
    return free.sort((a, b) => cost(a) - cost(b))[0];
  }

  // Its neighbours get time to end; what made it worn goes on until then.
  function retire(runner: RunnerProcess, prelude: string): void {
    if (runner.retireBy || isClosed) return;
    runner.retireBy = performance.now() + DRAIN_MS;
    add(prelude);
    release(runner);
  }

  function release(runner: RunnerProcess): void {
    if (runner.retireBy && runner.running.size === 0) void runner.kill();
  }

  function endRetired(now: number): void {
    for (const runner of runners) {
      if (runner.retireBy && runner.retireBy <= now) void runner.kill();
    }
  }

  function replace(runner: RunnerProcess, signal: string | null, prelude: string): void {
    runners.delete(runner);
    if (!runner.isReady) startFailures += 1;
    if (!isClosed) log.warn({ signal, runs: runner.running.size, startFailures }, 'a bot process ended');
    onExit(runner, signal);
    if (isClosed) return;
    if (startFailures >= MAX_START_FAILURES) onBroken();
    else if (!runner.retireBy) add(prelude);
    onFree();
  }

  async function close(): Promise<void> {
    isClosed = true;
    await Promise.all([...runners].map((runner) => runner.kill()));
  }
}
