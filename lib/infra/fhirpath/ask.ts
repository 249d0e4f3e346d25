import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import type { Answer, FromWorker, Job, Question } from './wire.ts';

/** Of one resource, all its questions together. Then the thread is ended: an expression, or a pattern in it, may go on for ever. */
const LIMIT_MS = 1000;
/** Until the package is loaded. */
const START_MS = 30_000;
/** Of one project at once: the rest of them are told to come back. */
const MAX_WAITING = 64;
const MEMORY_MB = 256;
/** So long a project has no turn after one of its evaluations was ended. */
const REST_MS = 5000;

/** `sendAway`: it has no turn. */
type Waiting = { projectId: string; job: Job; settle(answers: Answer[]): void; sendAway(): void };

/** By project: they take turns, so that one whose expressions are slow holds up its own. */
const waiting = new Map<string, Waiting[]>();
const resting = new LRUCache<string, true>({ max: 1000, ttl: REST_MS });
let thread: Worker | undefined;
let isReady = false;
let current: { item: Waiting; timer: NodeJS.Timeout } | undefined;
let starting: NodeJS.Timeout | undefined;

/**
 * Evaluates expressions (HL7's `fhirpath`) in a thread of its own, started when it is first needed: no request waits for another's, and one
 * that is too much is ended. `text` is the resource as JSON. Every question has an answer; `unknown` where the time was over, or while the project
 * rests after one that was ended.
 */
export function ask(projectId: string, text: string, questions: readonly Question[]): Promise<Answer[]> {
  const unknown = questions.map(() => 'unknown' as const);
  if (resting.has(projectId)) return Promise.resolve(unknown);
  return inTurn(projectId, { text, questions }, ({ resolve }) => resolve(unknown));
}

function inTurn(
  projectId: string,
  job: Job,
  sendAway: (waits: PromiseWithResolvers<Answer[]>) => void,
): Promise<Answer[]> {
  const own = waiting.get(projectId) ?? [];
  if (own.length >= MAX_WAITING) {
    throw new AppError(
      'too-many-requests',
      'Too many resources of this project wait for their profiles to be evaluated',
      {
        retryAfterSeconds: 1,
      },
    );
  }
  const waits = Promise.withResolvers<Answer[]>();
  const settle = (answers: Answer[]) => waits.resolve(job.questions.map((_, index) => answers[index] ?? 'unknown'));
  waiting.set(projectId, [...own, { projectId, job, settle, sendAway: () => sendAway(waits) }]);
  next();
  return waits.promise;
}

/**
 * As `ask`, of a caller for whom each answer decides: throws 429 while the project rests, with how long, since what is asked now may be cheap, and
 * was not asked; and whoever waits to ask the same as what was ended.
 */
export async function askNow(projectId: string, text: string, questions: readonly Question[]): Promise<Answer[]> {
  if (resting.has(projectId)) throw restingError(projectId);
  return inTurn(projectId, { text, questions }, ({ reject }) => reject(restingError(projectId)));
}

function restingError(projectId: string): AppError {
  const text = 'Another expression of this project took too long just now: try again soon';
  return new AppError('too-many-requests', text, {
    retryAfterSeconds: Math.max(1, Math.ceil(resting.getRemainingTTL(projectId) / 1000)),
  });
}

/** They would take as long, one after the other, while everybody else of the project waits. */
function sendAwaySame({ projectId, job }: Waiting): void {
  const asked = expressionsOf(job);
  const { same = [], others = [] } = Object.groupBy(waiting.get(projectId) ?? [], (item) =>
    expressionsOf(item.job) === asked ? 'same' : 'others',
  );
  if (same.length === 0) return;
  if (others.length > 0) waiting.set(projectId, others);
  else waiting.delete(projectId);
  for (const item of same) item.sendAway();
}

function expressionsOf({ questions }: Job): string {
  return JSON.stringify(questions.map(({ expression }) => expression));
}

function next(): void {
  if (current || waiting.size === 0) return;
  if (!thread) start();
  if (!thread || !isReady) return;
  const item = take();
  if (!item) return;
  thread.ref();
  current = { item, timer: setTimeout(() => end('too long'), LIMIT_MS) };
  thread.postMessage(item.job);
}

/** The first of whose turn it is; the others of that project stand behind everybody else's. */
function take(): Waiting | undefined {
  for (const [projectId, [first, ...rest]] of waiting) {
    waiting.delete(projectId);
    if (rest.length > 0) waiting.set(projectId, rest);
    if (first) return first;
  }
  return undefined;
}

function start(): void {
  isReady = false;
  const resourceLimits = { maxOldGenerationSizeMb: MEMORY_MB };
  const made = new Worker(workerPath(), { env: {}, stdout: true, stderr: true, resourceLimits });
  thread = made;
  starting = setTimeout(() => end('does not start'), START_MS);
  made.on('message', (message: FromWorker) => receive(made, message));
  made.on('error', (err) => {
    log.warn({ err }, 'the thread for FHIRPath failed');
    if (thread === made) end('failed');
  });
  made.on('exit', () => thread === made && end('gone'));
}

function receive(from: Worker, message: FromWorker): void {
  if (from !== thread) return;
  if (message === 'ready') {
    clearTimeout(starting);
    isReady = true;
    // It keeps no process alive that is otherwise done.
    from.unref();
    next();
    return;
  }
  const { item, timer } = current ?? {};
  clearTimeout(timer);
  current = undefined;
  from.unref();
  item?.settle(message.answers);
  next();
}

/** The thread goes; whom it worked for is told so, and the next get another. */
function end(reason: string): void {
  const [ended, was] = [thread, current];
  clearTimeout(starting);
  thread = undefined;
  current = undefined;
  if (was) {
    clearTimeout(was.timer);
    resting.set(was.item.projectId, true);
    log.info({ reason, questions: was.item.job.questions.length }, 'FHIRPath evaluation ended');
    was.item.settle([]);
    sendAwaySame(was.item);
  } else if (!isReady) {
    // It never came to be: those who wait would wait for the next one as long.
    for (const item of [...waiting.values()].flat()) item.settle([]);
    waiting.clear();
  }
  void ended?.terminate();
  next();
}

/** A page's module graph is bundled by Next, where `import.meta` names no source file; there the working directory is the project's. */
function workerPath(): string {
  const beside = import.meta.dirname ? path.join(import.meta.dirname, 'worker.ts') : '';
  return beside && existsSync(beside) ? beside : path.join(process.cwd(), 'lib/infra/fhirpath/worker.ts');
}
