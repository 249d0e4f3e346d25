import type { RunJob, RunResult } from './run-job.ts';
import type { RunnerProcess } from './runner-process.ts';
import type { LogLevel } from './wire.ts';

/** A run from when it is asked for until it is settled: it waits, and then it is in a process. */
export type PendingRun = {
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

export function newRun(id: number, job: RunJob, ends: Pick<PendingRun, 'settle' | 'refuse'>): PendingRun {
  return { id, job, startedAt: 0, deadline: 0, logs: [], hasCalled: false, isRetry: false, ...ends };
}
