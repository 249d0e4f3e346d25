import type { Run } from './run.ts';

type Watch = {
  runs: Map<number, Run>;
  processMemoryMb: number;
  onWorn: () => void;
  onLost: (runId: number) => void;
};

const CHECK_MS = 25;

/**
 * Memory that V8's own limits do not hold: it grants an isolate another gigabyte before it gives up, and one built-in may
 * allocate more than that. Past `processMemoryMb` the process ends, and the run that has held a thread for longest is
 * blamed. Returns what to call when a run starts; checks while there are runs.
 */
export function watchRuns({ runs, processMemoryMb, onWorn, onLost }: Watch): () => void {
  const limit = processMemoryMb * 1024 * 1024;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setInterval(check, CHECK_MS);
  };

  function check(): void {
    for (const run of [...runs.values()]) run.check();
    const used = process.memoryUsage.rss();
    if (used > limit) endLongest();
    if (runs.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    // What a bomb took and did not give back would be held against those that come after it.
    if (used > limit / 2) onWorn();
  }

  function endLongest(): void {
    const since = ([, run]: [number, Run]) => run.executingSince() ?? Number.POSITIVE_INFINITY;
    const [longest] = [...runs].sort((a, b) => since(a) - since(b));
    onLost(longest && Number.isFinite(since(longest)) ? longest[0] : -1);
  }
}
