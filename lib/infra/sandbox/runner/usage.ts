import type { Taken } from '../host/wire.ts';
import type { Slot } from './isolate-pool.ts';

export type RunUsage = {
  /** At the run's end, while the isolate is there. */
  measureCpu(): void;
  /** Once nothing executes any more: it waits for the isolate's thread. */
  measureHeap(): void;
  taken(): Taken;
};

/** What one run takes of its isolate, which it has for itself meanwhile, and which others had before it; and what the isolate has then. */
export function createUsage(slot: Slot): RunUsage {
  const { isolate } = slot;
  const before = isolate.cpuTime;
  let cpuUs: number | undefined;
  let heapKb: number | null = null;
  return {
    measureCpu() {
      if (!isolate.isDisposed) cpuUs = Math.round(Number(isolate.cpuTime - before) / 1e3);
    },
    measureHeap() {
      // V8 gives memory back late: what it holds is close to the most that it has held.
      const {
        total_heap_size: heap,
        externally_allocated_size: outside,
        malloced_memory: own,
      } = isolate.getHeapStatisticsSync();
      slot.size = heap + outside + own;
      heapKb = Math.round((heap + outside) / 1024);
    },
    taken: () => (cpuUs === undefined ? [null, null] : [cpuUs, heapKb]),
  };
}
