import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { RunFigure, RunFigures, RunFiguresQuery } from '#lib/protocol/bots/runs/run-sight.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { toMs } from '../bots/duration-slots.ts';
import { settleRuns } from '../runs/record/record-run.ts';

/** How many hours or days. Hours are kept for thirty days (over.ts). */
const SPANS = {
  day: { step: 'hour', steps: 24 },
  week: { step: 'day', steps: 7 },
  month: { step: 'day', steps: 30 },
} as const;

type Found = { now: string; at: string | null; runs: number; failed: number; p50: number | null; p95: number | null };

/** Runs, failures and how long they took, over time: by what is counted of them by the hour, however many they are. For administrators. */
export async function countRuns(ctx: Ctx, projectId: string, { bot, span }: RunFiguresQuery): Promise<RunFigures> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { step, steps } = SPANS[span];
  await settleRuns(projectId);
  const ofBot = bot ? sql`and bot_id = ${bot}::uuid` : sql``;
  const begin = sql`date_trunc(${step}::text, now(), 'UTC') - ${`${steps - 1} ${step}s`}::text::interval`;
  const found = await db().execute<Found>(sql`
    with kept as materialized (
      select date_trunc(${step}::text, hour, 'UTC') as at, runs, failed, slots, counts from bot_hour
      where project_id = ${projectId}::uuid and hour >= ${begin} ${ofBot}),
    sums as (
      select at, sum(runs)::int as runs, sum(failed)::int as failed from kept group by grouping sets ((at), ())),
    lengths as (
      select at, min(slot) filter (where upto >= 0.5 * total) as p50, min(slot) filter (where upto >= 0.95 * total) as p95 from (
        select at, slot, sum(n) over (partition by at order by slot) as upto, sum(n) over (partition by at) as total from (
          select at, slot, sum(n) as n from kept, unnest(slots, counts) as u(slot, n) group by grouping sets ((at, slot), (slot))) as s) as t
      group by at)
    select date_trunc(${step}::text, now(), 'UTC') as now, s.at, coalesce(s.runs, 0) as runs, coalesce(s.failed, 0) as failed, l.p50::int as p50, l.p95::int as p95
    from sums s left join lengths l on l.at is not distinct from s.at`);
  const known = new Map(found.map((row) => [row.at && toInstant(row.at), toCounts(row)]));
  // The sum of nothing is a row, too.
  const last = new Date(found[0]!.now).getTime();
  const stepMs = step === 'hour' ? 3_600_000 : 86_400_000;
  const figures = Array.from({ length: steps }, (_, index): RunFigure => {
    const at = new Date(last - (steps - 1 - index) * stepMs).toISOString();
    return { at, ...(known.get(at) ?? NONE) };
  });
  return { step, figures, total: known.get(null) ?? NONE };
}

const NONE = { runs: 0, failed: 0, p50Ms: null, p95Ms: null };

function toCounts({ runs, failed, p50, p95 }: Found): Omit<RunFigure, 'at'> {
  return { runs, failed, p50Ms: p50 === null ? null : toMs(p50), p95Ms: p95 === null ? null : toMs(p95) };
}
