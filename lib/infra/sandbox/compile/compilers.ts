import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import type { BotProgram } from '#lib/protocol/bots/to-program.ts';
import { findWalls, type Walls } from '../walls/find-walls.ts';
import type { BundleResult } from './bundle-result.ts';
import { type CompilerProcess, spawnCompiler } from './compiler-process.ts';

/** `too-long`, `too-large`: it was stopped. `lost`: two processes have ended with it. */
export type Compiled = BundleResult | 'too-long' | 'too-large' | 'lost';

export type Compilers = {
  /** Compiles a program of a project. Rejects with an AppError: 429 where too many of it wait, or for too long, 503 where no process starts. */
  compile(projectId: string, program: BotProgram): Promise<Compiled>;
  /** Of the processes that are there. */
  pids(): number[];
  close(): void;
};

export type CompilersOptions = {
  /** At most; none waits longer than `idleMs` for another source. */
  processes?: number;
  idleMs?: number;
  /** Of one source, from when it begins. */
  buildMs?: number;
  memoryMb?: number;
  /** Of a project. */
  mostWaiting?: number;
  /** Characters of what waits, of a project. */
  mostHeld?: number;
  waitMs?: number;
};

type Job = {
  projectId: string;
  program: BotProgram;
  resolve: (compiled: Compiled) => void;
  reject: (error: AppError) => void;
  isAgain: boolean;
  expiry?: NodeJS.Timeout;
};
/** `isEnding`: it was killed, and is not gone yet. */
type Place = { process: CompilerProcess; isReady: boolean; isEnding?: true; job?: Job; timers: NodeJS.Timeout[] };

const CHECK_MS = 25;
const START_MS = 30_000;
const MOST_START_FAILURES = 3;

/**
 * The processes in which bots are compiled: started when there is something to compile, killed when a source takes too long or too much of them. So what
 * hurts is its own source alone, which is said; what was lost because its process was is compiled once more in another. Projects take turns.
 */
export function createCompilers(options: CompilersOptions = {}): Compilers {
  const {
    processes = 2,
    idleMs = 60_000,
    buildMs = 20_000,
    memoryMb = 1024,
    mostWaiting = 100,
    mostHeld = 16 * 1024 * 1024,
    waitMs = 60_000,
  } = options;
  const places = new Set<Place>();
  // Whose turn is next stands first.
  const queues = new Map<string, Job[]>();
  let startFailures = 0;
  let isClosed = false;

  return { compile, pids: () => [...places].flatMap(({ process: { pid } }) => pid ?? []), close };

  async function compile(projectId: string, program: BotProgram): Promise<Compiled> {
    const walls = await findWalls();
    if (isClosed) throw new AppError('unavailable', 'The server is shutting down');
    const queue = queues.get(projectId) ?? [];
    const held = queue.reduce((sum, job) => sum + sizeOf(job.program), 0);
    if (queue.length >= mostWaiting || held + sizeOf(program) > mostHeld) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<Compiled>();
    const job: Job = { projectId, program, resolve, reject, isAgain: false };
    job.expiry = setTimeout(giveUp, waitMs, job);
    queues.set(projectId, [...queue, job]);
    dispatch(walls);
    return promise;
  }

  function dispatch(walls: Walls): void {
    while (queues.size > 0) {
      const free = [...places].find(({ isReady, isEnding, job }) => isReady && !isEnding && !job);
      if (!free) {
        const starting = [...places].filter(({ isReady }) => !isReady).length;
        if (places.size < processes && starting < waiting()) addOne(walls);
        return;
      }
      begin(free, next(), walls);
    }
  }

  function next(): Job {
    const [[projectId, [job, ...others]]] = queues as unknown as [[string, [Job, ...Job[]]]];
    queues.delete(projectId);
    if (others.length > 0) queues.set(projectId, others);
    clearTimeout(job.expiry);
    return job;
  }

  function begin(place: Place, job: Job, walls: Walls): void {
    clearAll(place);
    place.job = job;
    place.timers = [
      setTimeout(() => stop(place, 'too-long'), buildMs),
      setInterval(() => {
        if (place.process.residentMb() > memoryMb) stop(place, 'too-large');
      }, CHECK_MS),
    ];
    place.process.build(job.program);
    if (places.size < processes && queues.size > 0) dispatch(walls);
  }

  function stop(place: Place, why: 'too-long' | 'too-large'): void {
    end(place, why);
    kill(place);
  }

  function kill(place: Place): void {
    place.isEnding = true;
    place.process.kill();
  }

  function addOne(walls: Walls): void {
    const place: Place = {
      isReady: false,
      timers: [],
      process: spawnCompiler(walls, {
        onReady: () => {
          startFailures = 0;
          place.isReady = true;
          rest(place);
          dispatch(walls);
        },
        onResult: (result) => {
          end(place, result);
          rest(place);
          dispatch(walls);
        },
        onExit: () => lose(place, walls),
      }),
    };
    places.add(place);
    place.timers = [setTimeout(() => place.process.kill(), START_MS)];
  }

  /** Until there is another source. */
  function rest(place: Place): void {
    clearAll(place);
    place.timers = [setTimeout(kill, idleMs, place).unref()];
  }

  function end(place: Place, compiled: Compiled): void {
    clearAll(place);
    const { job } = place;
    place.job = undefined;
    job?.resolve(compiled);
  }

  function lose(place: Place, walls: Walls): void {
    if (!places.delete(place)) return;
    clearAll(place);
    const { job, isReady } = place;
    if (!isReady) startFailures += 1;
    if (job?.isAgain) job.resolve('lost');
    else if (job) queues.set(job.projectId, [{ ...job, isAgain: true }, ...(queues.get(job.projectId) ?? [])]);
    if (isClosed || startFailures >= MOST_START_FAILURES) refuseAll();
    else dispatch(walls);
  }

  function refuseAll(): void {
    if (!isClosed) log.error({ startFailures }, 'no process starts in which bots could be compiled');
    startFailures = 0;
    const reason = isClosed ? 'The server is shutting down' : 'Bots cannot be compiled now';
    while (queues.size > 0) next().reject(new AppError('unavailable', reason));
  }

  function giveUp(job: Job): void {
    const others = (queues.get(job.projectId) ?? []).filter((one) => one !== job);
    if (others.length > 0) queues.set(job.projectId, others);
    else queues.delete(job.projectId);
    job.reject(busy());
  }

  function waiting(): number {
    return [...queues.values()].reduce((sum, queue) => sum + queue.length, 0);
  }

  function clearAll(place: Place): void {
    for (const timer of place.timers) clearTimeout(timer);
    place.timers = [];
  }

  function close(): void {
    isClosed = true;
    refuseAll();
    for (const { process: running } of places) running.kill();
  }
}

function sizeOf({ source, files = [] }: BotProgram): number {
  return files.reduce((sum, { content }) => sum + content.length, source.length);
}

function busy(): AppError {
  return new AppError('too-many-requests', 'Too many bots of the project wait to be compiled: try again later');
}
