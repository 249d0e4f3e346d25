import type { RunCall, RunJob, RunLine, RunResult } from './run-job.ts';
import type { RunnerProcess } from './runner-process.ts';

/** A run from when it is asked for until it is settled: it waits, and then it is in a process. */
export type PendingRun = {
  id: number;
  job: RunJob;
  runner?: RunnerProcess;
  startedAt: number;
  deadline: number;
  logs: RunLine[];
  logCharacters: number;
  /** Calls under way, and what ends each. */
  calls: Map<number, AbortController>;
  answered: RunCall[];
  callCharacters: number;
  /** Calls that were ever asked for, and those that were given up. */
  asked: number;
  givenUp: number;
  /** After a bridge call a run has effects, and may not be repeated. */
  hasCalled: boolean;
  /** When its process was lost (performance.now): it is repeated once, in one that was ready after that. Several may die together. */
  lostAt?: number;
  settle: (result: RunResult) => void;
  refuse: (error: unknown) => void;
};

export function newRun(id: number, job: RunJob, ends: Pick<PendingRun, 'settle' | 'refuse'>): PendingRun {
  return { id, job, startedAt: 0, deadline: 0, hasCalled: false, ...fresh(), ...ends };
}

/** Makes it wait once more, as if it had not begun. */
export function resetRun(run: PendingRun, id: number): void {
  Object.assign(run, fresh(), { id, lostAt: performance.now(), runner: undefined });
}

function fresh() {
  return { logs: [], logCharacters: 0, calls: new Map(), answered: [], callCharacters: 0, asked: 0, givenUp: 0 };
}
