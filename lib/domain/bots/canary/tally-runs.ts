import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { CanaryFigures } from '#lib/protocol/bots/canary.ts';
import { findDeployed } from '../live/find-deployed.ts';
import { EVENT_NAMES, isWhole } from '../whole-runs.ts';
import { findCanary } from './canary-rows.ts';

/** Of a bot that runs all day: what came long before says little of how it does now. */
const MOST_RUNS = 5000;

export const NO_FIGURES: CanaryFigures = {
  canary: { runs: 0, failed: 0, failedInRow: 0 },
  live: { runs: 0, failed: 0 },
};

/**
 * What the version that is tried and the one that is live have come to, by the records of their runs since the trial began: every process has written
 * these, and nothing else is counted beside a run. Attempts at one event are one: it went well when one of them did. What somebody runs again does not count, nor
 * what somebody ended.
 */
export async function tallyRuns(projectId: string, botId: string): Promise<CanaryFigures> {
  const canary = await findCanary(projectId, botId);
  const live = await findDeployed(db(), projectId, botId);
  if (!canary || live === undefined) return NO_FIGURES;
  const [tally] = await db().execute<
    Record<'runs' | 'failed' | 'in_row' | 'live_runs' | 'live_failed' | 'since_runs' | 'since_failed', number>
  >(sql`
    with runs as (
      select id, version, status, started_at, case when trigger in (${EVENT_NAMES}) then input_headers->>'idempotency-key' end as key, trigger, message
      from bot_run
      where project_id = ${projectId}::uuid and bot_id = ${botId}::uuid and started_at >= ${canary.startedAt.toISOString()}::timestamptz
      order by started_at desc, id limit ${MOST_RUNS}),
    newest as (
      select version, status, row_number() over (order by started_at desc, id) as at from (
        select version, case when bool_or(status = 'ok') then 'ok' else 'failed' end as status, max(started_at) as started_at, min(id::text) as id
        from runs where trigger <> 'replay' and ${isWhole} group by version, coalesce(key, id::text)) as events),
    good as (select coalesce(min(at), ${MOST_RUNS + 1}) as at from newest where version = ${canary.number} and status = 'ok')
    select count(*) filter (where version = ${canary.number})::int as runs,
      count(*) filter (where version = ${canary.number} and status <> 'ok')::int as failed,
      count(*) filter (where version = ${canary.number} and newest.at < (select good.at from good))::int as in_row,
      count(*) filter (where version = ${live})::int as live_runs,
      count(*) filter (where version = ${live} and status <> 'ok')::int as live_failed,
      count(*) filter (where version = ${live} and newest.at < (select good.at from good))::int as since_runs,
      count(*) filter (where version = ${live} and status <> 'ok' and newest.at < (select good.at from good))::int as since_failed
    from newest`);
  const { runs, failed, in_row: failedInRow, live_runs, live_failed, since_runs, since_failed } = tally!;
  return {
    canary: { runs, failed, failedInRow },
    live: { runs: live_runs, failed: live_failed },
    meanwhile: { runs: since_runs, failed: since_failed },
  };
}
