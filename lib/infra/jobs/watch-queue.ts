import { sql } from 'drizzle-orm';
import { pace } from '#lib/base/pace.ts';
import { db } from '../db/client.ts';
import { makeCommonGauge } from '../metrics/registry.ts';

type Counted = { queue: string; state: string; jobs: number; waiting_seconds: number | null };

let known: { at: number; rows: Counted[] } | undefined;
let isReachable = 0;

/** Counts the jobs of the queue, for whoever looks at the metrics next. Throws while the database is away; then nothing is told of them. */
export async function watchQueue(): Promise<void> {
  if (known && performance.now() - known.at < pace.queueCountMs) return;
  known = undefined;
  isReachable = 0;
  const at = performance.now();
  // Before the first job there is no such table.
  const [schema] = await db().execute<{ made: boolean }>(sql`select to_regclass('pgboss.job') is not null as made`);
  const rows = schema?.made
    ? await db().execute<Counted>(sql`
        select name as queue, state::text as state, count(*)::int as jobs,
          extract(epoch from now() - min(greatest(created_on, start_after)) filter (where start_after <= now()))::float8 as waiting_seconds
        from pgboss.job where name not like '\\_\\_pgboss%' group by name, state`)
    : [];
  known = { at, rows: [...rows] };
  isReachable = 1;
}

const WAITING = new Set(['created', 'retry']);
const rows = () => known?.rows ?? [];
const waiting = () => rows().filter(({ state }) => WAITING.has(state));

makeCommonGauge('gatehouse_database_up', 'Whether the database answered when it was asked last for this.', [], () => [
  { value: isReachable },
]);
makeCommonGauge('gatehouse_queue_jobs', 'Jobs of all processes that the queue has, by state.', ['queue', 'state'], () =>
  rows().map(({ queue, state, jobs }) => ({ queue, state, value: jobs })),
);
makeCommonGauge(
  'gatehouse_queue_oldest_waiting_seconds',
  'How long the job waits that has waited longest since its time came.',
  ['queue'],
  () =>
    [...new Set(rows().map(({ queue }) => queue))].map((queue) => ({
      queue,
      value: Math.max(0, ...waiting().map((row) => (row.queue === queue ? (row.waiting_seconds ?? 0) : 0))),
    })),
);
makeCommonGauge(
  'gatehouse_mails_waiting',
  'Mails of all processes that wait to be sent, or to be tried again.',
  [],
  () => [{ value: waiting().reduce((sum, row) => sum + (row.queue === 'mail' ? row.jobs : 0), 0) }],
);
