import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

const registry = new Registry();
let isProcessWatched = false;

/** What this process says of itself: memory, processor, event loop, garbage collection. Once is enough. */
export function watchProcess(): void {
  if (isProcessWatched) return;
  isProcessWatched = true;
  collectDefaultMetrics({ register: registry });
}

/** All that is known at this moment, in Prometheus' text format. */
export async function renderMetrics(): Promise<{ text: string; contentType: string }> {
  return { text: await registry.metrics(), contentType: registry.contentType };
}

/** Only goes up. Labels have few values, which are ours: never what a caller sends, never a project, never a person. */
export function makeCounter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

export function makeHistogram<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  buckets: number[],
): Histogram<L> {
  return new Histogram({ name, help, labelNames, buckets, registers: [registry] });
}

type Reading<L extends string> = Partial<Record<L, string>> & { value: number };

/** What is so at the moment: `read` is asked when somebody looks, and costs nothing until then. */
export function makeGauge<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  read: () => Reading<L>[],
): void {
  const gauge: Gauge<L> = new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      gauge.reset();
      // The library's own type of labels is not exported.
      for (const { value, ...labels } of read()) gauge.set(labels as never, value);
    },
  });
}
