import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';

/** Of this process. */
const registry = new Registry();
/** Of the database, and so the same whichever process is asked. */
const common = new Registry();
let isProcessWatched = false;

/** What this process says of itself: memory, processor, event loop, garbage collection. Once is enough. */
export function watchProcess(): void {
  if (isProcessWatched) return;
  isProcessWatched = true;
  collectDefaultMetrics({ register: registry });
}

/** A process's metrics, as another can be told them. */
export type ProcessMetrics = { values?: { labels: Record<string, string | number> }[]; aggregator?: string }[];

/** What this process knows of itself at this moment. */
export async function readOwnMetrics(): Promise<ProcessMetrics> {
  return (await registry.getMetricsAsJSON()) as unknown as ProcessMetrics;
}

/**
 * All that is known at this moment, in Prometheus' text format. Of several processes each series says whose it is: of their sum a counter
 * could not be followed past the end of one of them.
 */
export async function renderMetrics(
  processes?: ReadonlyMap<string, ProcessMetrics>,
): Promise<{ text: string; contentType: string }> {
  const texts = [await (processes ? ofProcesses(processes) : registry).metrics(), await common.metrics()];
  return { text: texts.join('\n'), contentType: registry.contentType };
}

/** Every series is one process's: what the library does with those that several have is never asked for. */
function ofProcesses(processes: ReadonlyMap<string, ProcessMetrics>): Registry {
  const labelled = [...processes].map(([process, metrics]) =>
    metrics.map((metric) => ({
      ...metric,
      aggregator: 'sum',
      values: metric.values?.map((value) => ({ ...value, labels: { ...value.labels, process } })) ?? [],
    })),
  );
  return AggregatorRegistry.aggregate(labelled as never);
}

/** Only goes up. Labels have few values, which are ours: never what a caller sends, never a project, never a person. */
export function makeCounter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

/** `counts`: by bound, those up to it and past the one before; the last, those past all. */
export type Series = { labels: Record<string, string>; counts: number[]; sum: number };

/** A histogram that somebody else counts: `read` is asked when somebody looks. */
export function showHistogram(name: string, help: string, bounds: readonly number[], read: () => Series[]): void {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: read().flatMap((series) => toValues(name, bounds, series)),
  });
  // What the registry asks of a metric; by its type it would have to be one of the library's classes.
  registry.registerMetric({ name, get } as never);
}

function toValues(name: string, bounds: readonly number[], { labels, counts, sum }: Series) {
  let total = 0;
  const buckets = counts.map((count, at) => {
    total += count;
    return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[at] ?? '+Inf' }, value: total };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}

type Reading<L extends string> = Partial<Record<L, string>> & { value: number };

/** What is so in this process at the moment: `read` is asked when somebody looks, and costs nothing until then. */
export function makeGauge<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  read: () => Reading<L>[],
): void {
  gaugeIn(registry, name, help, labelNames, read);
}

/** The same of what all processes have in common. */
export function makeCommonGauge<L extends string>(
  name: string,
  help: string,
  labelNames: readonly L[],
  read: () => Reading<L>[],
): void {
  gaugeIn(common, name, help, labelNames, read);
}

function gaugeIn<L extends string>(
  into: Registry,
  name: string,
  help: string,
  labelNames: readonly L[],
  read: () => Reading<L>[],
): void {
  const gauge: Gauge<L> = new Gauge({
    name,
    help,
    labelNames,
    registers: [into],
    collect() {
      gauge.reset();
      // The library's own type of labels is not exported.
      for (const { value, ...labels } of read()) gauge.set(labels as never, value);
    },
  });
}
