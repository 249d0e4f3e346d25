import type { Taken } from '../host/wire.ts';
import type { Slot } from './slot.ts';

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
      const { size, heap } = measureHeap(isolate);
      slot.size = size;
      heapKb = Math.round(heap / 1024);
    },
    taken: () => (cpuUs === undefined ? [null, null] : [cpuUs, heapKb]),
  };
}

/** In bytes: of its heap, and with what V8 needs beside it. It gives memory back late: what it holds is close to the most that it has held. */
export function measureHeap(isolate: Slot['isolate']): { heap: number; size: number } {
  const {
    total_heap_size: inside,
    externally_allocated_size: outside,
    malloced_memory: own,
  } = isolate.getHeapStatisticsSync();
  return { heap: inside + outside, size: inside + outside + own };
}
