import type { PendingRun } from './pending-run.ts';

export type WaitingRuns = {
  add(run: PendingRun): void;
  /** Before all others of its project. */
  addFirst(run: PendingRun): void;
  /** False when it does not wait. */
  remove(run: PendingRun): boolean;
  /** Starts what can: the first of each project in turn, until no project's first can. `start` returns whether it did. */
  startAll(start: (run: PendingRun) => boolean): void;
  isEmpty(): boolean;
  count(): number;
  takeAll(): PendingRun[];
};

/** Runs that wait for a process: a queue for each project, so that none waits behind another's. */
export function createWaitingRuns(): WaitingRuns {
  // Whose turn is next stands first.
  const queues = new Map<string, PendingRun[]>();

  return {
    add: (run) => void queueOf(run).push(run),
    addFirst: (run) => void queueOf(run).unshift(run),
    remove,
    startAll,
    isEmpty: () => queues.size === 0,
    count: () => [...queues.values()].reduce((sum, queue) => sum + queue.length, 0),
    takeAll,
  };

  function queueOf({ job: { projectId } }: PendingRun): PendingRun[] {
    const queue = queues.get(projectId) ?? [];
    queues.set(projectId, queue);
    return queue;
  }

  function remove(run: PendingRun): boolean {
    const queue = queueOf(run);
    const index = queue.indexOf(run);
    if (index >= 0) queue.splice(index, 1);
    if (queue.length === 0) queues.delete(run.job.projectId);
    return index >= 0;
  }

  function startAll(start: (run: PendingRun) => boolean): void {
    let stuck = 0;
    while (queues.size > stuck) {
      const [[projectId, queue]] = queues as unknown as [[string, PendingRun[]]];
      const isStarted = start(queue[0]!);
      stuck = isStarted ? 0 : stuck + 1;
      if (isStarted) queue.shift();
      queues.delete(projectId);
      if (queue.length > 0) queues.set(projectId, queue);
    }
  }

  function takeAll(): PendingRun[] {
    const all = [...queues.values()].flat();
    queues.clear();
    return all;
  }
}
