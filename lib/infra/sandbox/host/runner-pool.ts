import { log } from '#lib/base/log.ts';
import { countEndedProcess } from '../../metrics/count.ts';
import type { Walls } from '../walls/find-walls.ts';
import type { PendingRun } from './pending-run.ts';
import type { RunJob } from './run-job.ts';
import { type RunnerProcess, spawnRunner } from './runner-process.ts';
import type { FromRunner } from './wire.ts';

export type RunnerPoolOptions = {
  /** So many are kept, and one project has no more. */
  processes: number;
  /** So many at most, while so many projects run at once. */
  maxProcesses: number;
  processMemoryMb: number;
  idleMb: number;
  runsPerProcess: number;
  /** There may be room for a run. */
  onFree: () => void;
  onMessage: (message: FromRunner, runner: RunnerProcess) => boolean;
  /** Whether anybody waits for this run: what it does once it is settled is nobody's. */
  isAwaited: (id: number) => boolean;
  /** A process ended, with what stands in `running`. */
  onExit: (runner: RunnerProcess, signal: string | null) => void;
  /** No process starts any more. */
  onBroken: () => void;
};

export type RunnerPool = {
  /** Starts the processes that are missing. */
  fill(prelude: string, walls: Walls): void;
  /** The least busy process that this run may enter; one that has its version warm may be two runs busier. */
  pick(pending: PendingRun): RunnerProcess | undefined;
  /** One more process, soon: a run has found none. */
  grow(): void;
  /** A run of this process has ended. */
  release(runner: RunnerProcess): void;
  /** Kills those that took far more memory than they end themselves by. */
  endLost(): void;
  runners(): Iterable<RunnerProcess>;
  close(): Promise<void>;
};

const MAX_START_FAILURES = 5;
const DRAIN_MS = 2000;
/** Most runs end within it: then the next project takes their process over. */
const GROW_MS = 25;
/** How long a process that is one too many waits for work. */
const IDLE_MS = 30_000;

/**
 * The processes that bots run in: started when first needed, replaced when they end or wear out. A process belongs to one project as long
 * as a run of it is there: a run that takes its process along takes nobody else's runs along, and one that sleeps is in nobody's way. Only
 * when as many projects run as there may be processes do they share.
 */
export function createRunnerPool(options: RunnerPoolOptions): RunnerPool {
  const { processes, maxProcesses, runsPerProcess, processMemoryMb, idleMb } = options;
  const { onFree, onMessage, isAwaited, onExit, onBroken } = options;
  const runners = new Set<RunnerProcess>();
  const idle = new Map<RunnerProcess, NodeJS.Timeout>();
  let add = (): void => undefined;
  let growing: NodeJS.Timeout | undefined;
  let startFailures = 0;
  let isClosed = false;

  return { fill, pick, grow, release, endLost, runners: () => runners, close };

  function fill(prelude: string, walls: Walls): void {
    add = () => addOne(prelude, walls);
    while (runners.size < processes && !isClosed) add();
  }

  function addOne(prelude: string, walls: Walls): void {
    const runner = spawnRunner(
      prelude,
      walls,
      { processMemoryMb, idleMb },
      {
        onReady: () => {
          startFailures = 0;
          onFree();
          release(runner);
        },
        onMessage: (message) => (message[0] === 'worn' ? retire(runner) : onMessage(message, runner)),
        onCaughtUp: onFree,
        onExit: (signal) => replace(runner, signal),
      },
    );
    runners.add(runner);
  }

  function pick({ job, lostAt = 0 }: PendingRun): RunnerProcess | undefined {
    const { projectId } = job;
    const open = [...runners].filter((runner) => isOpen(runner));
    const own = open.filter((runner) => runner.running.size > 0 && runner.projectId === projectId);
    const unused = own.length < processes ? open.filter((runner) => runner.running.size === 0) : [];
    const isFull = own.length === 0 && runners.size >= maxProcesses;
    const fitting = [...own, ...unused].filter((runner) => runner.readyAt! > lostAt);
    return leastBusy(fitting, job) ?? (isFull ? leastBusy(open, job) : undefined);
  }

  function isOpen({ readyAt, isRetired, running, isBehind }: RunnerProcess): boolean {
    return readyAt !== undefined && !isRetired && running.size < runsPerProcess && !isBehind();
  }

  function grow(): void {
    growing ??= setTimeout(() => {
      growing = undefined;
      const isStarting = [...runners].some((runner) => runner.readyAt === undefined);
      if (!isClosed && !isStarting && runners.size < maxProcesses) add();
    }, GROW_MS);
  }

  // Its neighbours get time to end; what made it worn goes on until then, and takes a core: another comes at once, but not one for each of many.
  function retire(runner: RunnerProcess): boolean {
    if (runner.isRetired || isClosed) return true;
    runner.isRetired = true;
    if (runners.size <= maxProcesses) add();
    if ([...runner.running.keys()].some(isAwaited)) setTimeout(() => void runner.kill(), DRAIN_MS).unref();
    else void runner.kill();
    return true;
  }

  function release(runner: RunnerProcess): void {
    if (runner.running.size > 0) return;
    if (runner.isRetired) void runner.kill();
    else if (runners.size > processes && !idle.has(runner))
      idle.set(runner, setTimeout(endIdle, IDLE_MS, runner).unref());
  }

  function endIdle(runner: RunnerProcess): void {
    idle.delete(runner);
    if (runner.running.size > 0 || runners.size <= processes) return;
    runners.delete(runner);
    void runner.kill();
  }

  function leastBusy(open: RunnerProcess[], { projectId, versionKey }: RunJob): RunnerProcess | undefined {
    const cost = (runner: RunnerProcess) =>
      runner.running.size - (runner.hasVersion(versionKey) ? 2 : 0) + (isOf(projectId, runner) ? 0 : 0.5);
    const [found] = open.sort((a, b) => cost(a) - cost(b));
    if (!found) return undefined;
    clearTimeout(idle.get(found));
    idle.delete(found);
    return found;
  }

  function endLost(): void {
    for (const runner of runners) if (runner.residentMb() > 2 * processMemoryMb) void runner.kill();
  }

  function replace(runner: RunnerProcess, signal: string | null): void {
    if (!runners.delete(runner)) return;
    if (!runner.readyAt) startFailures += 1;
    if (!isClosed) {
      log.warn({ signal, runs: runner.running.size, startFailures }, 'a bot process ended');
      countEndedProcess(runner.isRetired ? 'worn' : signal === 'SIGKILL' ? 'killed' : 'crashed');
    }
    onExit(runner, signal);
    if (isClosed) return;
    if (startFailures >= MAX_START_FAILURES) onBroken();
    else if (!runner.isRetired || isShort()) add();
    onFree();
  }

  /** Where several wore out, not each has another yet. */
  function isShort(): boolean {
    return [...runners].filter(({ isRetired }) => !isRetired).length < processes;
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(growing);
    for (const timer of idle.values()) clearTimeout(timer);
    await Promise.all([...runners].map((runner) => runner.kill()));
  }
}

/** Of those as busy, one that was never another project's. */
function isOf(projectId: string, runner: RunnerProcess): boolean {
  return runner.projectId === undefined || runner.projectId === projectId;
}
