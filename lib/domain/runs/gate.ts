import { AppError } from '#lib/base/errors.ts';
import { isConnectionLoss } from '#lib/infra/db/errors.ts';
import { type Lease, tryLease } from '#lib/infra/db/single/leases.ts';
import { makeGauge } from '#lib/infra/metrics/registry.ts';

export type GateOptions = {
  signal?: AbortSignal;
  /** Waits as long as it takes, and is never refused: something else bounds how many do. */
  isPatient?: boolean;
  /** Default: half a minute. */
  mostWaitingMs?: number;
};

type Waiter = { admit: (leave: () => void) => void; refuse: (error: unknown) => void };

type Line = {
  projectId: string;
  running: number;
  leases: Lease[];
  queue: Waiter[];
  isAsking: boolean;
  /** Until it is asked again for a lease, or the last ones are given back. */
  timer?: NodeJS.Timeout;
};

/** Runs of one project at once, in all processes on the database, as published (contract §5.8): by leases of five. */
const LEASES = 10;
const RUNS_PER_LEASE = 5;
/** Of one project, in one process: those that run, and a hundred that wait. */
const MOST_INSIDE = LEASES * RUNS_PER_LEASE + 100;
export const MOST_WAITING_MS = 30_000;
const ASK_AGAIN_MS = 100;
/** So long a project keeps its last leases: nobody waits for the database who runs bots now and then. */
const KEEP_MS = 10_000;
const RETRY_AFTER_SECONDS = 5;

const lines = new Map<string, Line>();

makeGauge('gatehouse_bot_runs_in_line', 'Runs of bots that wait until fewer of their project run.', [], () => [
  { value: [...lines.values()].reduce((sum, { queue }) => sum + queue.length, 0) },
]);

/**
 * Lets a run of this project begin, once fewer than fifty are under way; the caller calls what it gets when the run has ended. A promise
 * when it has to wait, in the line of its own project; that rejects with 429 when the line is too long, or half a minute has passed.
 */
export function enterGate(
  projectId: string,
  { signal, isPatient = false, mostWaitingMs = MOST_WAITING_MS }: GateOptions = {},
): (() => void) | Promise<() => void> {
  const line = lineOf(projectId);
  if (line.queue.length === 0 && line.running < room(line)) return begin(line);
  if (!isPatient && line.running + line.queue.length >= MOST_INSIDE)
    return Promise.reject(tooManyRuns('Too many bots of this project are running'));
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  const waiter: Waiter = { admit: resolve, refuse: reject };
  line.queue.push(waiter);
  const late = isPatient
    ? undefined
    : setTimeout(
        () => giveUp(line, waiter, tooManyRuns('Too many bots of this project are running')),
        mostWaitingMs,
      ).unref();
  const cancelled = () => giveUp(line, waiter, new AppError('conflict', 'This run was cancelled'));
  signal?.addEventListener('abort', cancelled);
  if (signal?.aborted) cancelled();
  advance(line);
  return promise.finally(() => {
    clearTimeout(late);
    signal?.removeEventListener('abort', cancelled);
  });
}

function lineOf(projectId: string): Line {
  const known = lines.get(projectId);
  if (known) return known;
  const line: Line = { projectId, running: 0, leases: [], queue: [], isAsking: false };
  lines.set(projectId, line);
  return line;
}

function room(line: Line): number {
  if (!line.leases.every((lease) => lease.isHeld())) line.leases = line.leases.filter((lease) => lease.isHeld());
  return line.leases.length * RUNS_PER_LEASE;
}

function begin(line: Line): () => void {
  line.running += 1;
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    line.running -= 1;
    advance(line);
  };
}

function advance(line: Line): void {
  while (line.queue.length > 0 && line.running < room(line)) line.queue.shift()!.admit(begin(line));
  clearTimeout(line.timer);
  if (line.queue.length > 0) void ask(line);
  else settle(line);
}

async function ask(line: Line): Promise<void> {
  if (line.isAsking || line.leases.length >= LEASES) return;
  line.isAsking = true;
  try {
    const lease = await tryLease(`bot-runs:${line.projectId}`, LEASES);
    line.isAsking = false;
    if (lease) line.leases.push(lease);
    if (lease || line.queue.length === 0) advance(line);
    else line.timer = setTimeout(() => void ask(line), ASK_AGAIN_MS);
  } catch (error) {
    line.isAsking = false;
    const reason = isConnectionLoss(error)
      ? new AppError('unavailable', 'Bots cannot run now', { cause: error })
      : error;
    for (const { refuse } of line.queue.splice(0)) refuse(reason);
    settle(line);
  }
}

/** Gives back what is not needed: all but one more lease than is in use, and that, too, after a while. */
function settle(line: Line): void {
  while (line.leases.length > Math.ceil(line.running / RUNS_PER_LEASE) + 1) line.leases.pop()!.release();
  if (line.running > 0) return;
  line.timer = setTimeout(() => {
    if (line.running > 0 || line.queue.length > 0) return;
    lines.delete(line.projectId);
    for (const lease of line.leases) lease.release();
  }, KEEP_MS).unref();
}

function giveUp(line: Line, waiter: Waiter, error: AppError): void {
  const index = line.queue.indexOf(waiter);
  if (index < 0) return;
  line.queue.splice(index, 1);
  waiter.refuse(error);
  advance(line);
}

/** 429. The header's form is the peer's (contract §1.1 item 9). */
export function tooManyRuns(text: string): AppError {
  return new AppError('too-many-requests', text, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    headers: { ratelimit: `"bots";r=0;t=${RETRY_AFTER_SECONDS}` },
  });
}
