import { AppError } from '#lib/base/errors.ts';
import { makeGauge } from '#lib/infra/metrics/registry.ts';

/** Of one process. */
const MOST = 500;
const MOST_OF_PROJECT = 20;

const open = new Map<string, Set<AbortController>>();

makeGauge('gatehouse_live_runs', 'Streams of runs that are followed in this process.', [], () => [{ value: count() }]);

export type Place = {
  /** That it is over. */
  signal: AbortSignal;
  leave(): void;
};

/** A place among those who follow runs in this process. Throws 429 past twenty of a project, and past five hundred in all. */
export function enterLive(projectId: string): Place {
  const ofProject = open.get(projectId) ?? new Set();
  if (ofProject.size >= MOST_OF_PROJECT || count() >= MOST)
    throw new AppError('too-many-requests', 'Too many follow the runs of this project', {
      headers: { 'retry-after': '10' },
    });
  const ending = new AbortController();
  open.set(projectId, ofProject.add(ending));
  return {
    signal: ending.signal,
    leave() {
      ending.abort();
      ofProject.delete(ending);
      if (ofProject.size === 0 && open.get(projectId) === ofProject) open.delete(projectId);
    },
  };
}

/** Ends all of them, when the process is to end: they come again to another. */
export function endLive(): void {
  for (const ofProject of open.values()) for (const ending of ofProject) ending.abort();
}

function count(): number {
  return [...open.values()].reduce((sum, { size }) => sum + size, 0);
}
