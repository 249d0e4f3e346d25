import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { BotList, BotRow, RunState } from '#lib/protocol/answers/bots.ts';
import { isFailing } from '#lib/protocol/answers/failing-bot.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Identifier } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';

/** More bots than anybody has. */
const MOST = 1000;
/** Enough for every figure; a bot that runs a thousand times a second must not make the list slow. */
const MOST_RUNS = 10_000;

type Found = {
  id: string;
  name: string | null;
  description: string | null;
  identifier: Identifier[] | null;
  last_updated: string;
  live: number | null;
  draft: boolean;
  runs: number;
  failed: number;
  p95: number | null;
  hours: [ago: number, runs: number, failed: number][] | null;
  run_id: string | null;
  run_at: string | null;
  run_status: RunState | null;
  total: number;
};

/** The project's bots by name, with how they do. For administrators. */
export async function listBots(ctx: Ctx, projectId: string): Promise<BotList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const found = await db().execute<Found>(sql`
    select r.id, r.content->>'name' as name, r.content->>'description' as description, r.content->'identifier' as identifier,
      r.last_updated, d.number as live, ${draft} as draft, s.runs, s.failed, s.p95, s.hours, l.id as run_id, l.started_at as run_at, l.status as run_status,
      (select count(*)::int from resource t where t.project_id = r.project_id and t.type_id = r.type_id and not t.deleted) as total
    from resource r
    left join bot_deployment d on d.project_id = r.project_id and d.bot_id = r.id::uuid
    left join bot_version v on v.project_id = r.project_id and v.bot_id = d.bot_id and v.number = d.number
    left join binary_content b on b.project_id = r.project_id and b.id =
      (case when r.content->'sourceCode'->>'url' ~ '^Binary/[0-9a-f-]{36}$' then substr(r.content->'sourceCode'->>'url', 8) end)::uuid
    cross join lateral (
      with n as materialized (
        select status, duration_ms, floor(extract(epoch from now() - n.started_at) / 3600)::int as ago from bot_run n
        where n.project_id = r.project_id and n.bot_id = r.id::uuid and n.started_at > now() - interval '24 hours'
        order by n.started_at desc nulls last limit ${MOST_RUNS})
      select count(*)::int as runs, (count(*) filter (where n.status <> 'ok'))::int as failed,
        percentile_disc(0.95) within group (order by n.duration_ms) as p95,
        (select json_agg(json_build_array(h.ago, h.runs, h.failed)) from (
          select ago, count(*)::int as runs, (count(*) filter (where status <> 'ok'))::int as failed from n group by ago) as h) as hours
      from n) as s
    left join lateral (
      select id, started_at, status from bot_run n where n.project_id = r.project_id and n.bot_id = r.id::uuid
      order by n.started_at desc nulls last, n.id limit 1) as l on true
    where r.project_id = ${projectId} and r.type_id = ${typeId('Bot')} and not r.deleted
    order by lower(r.content->>'name'), r.id limit ${MOST}`);
  return { total: found[0]?.total ?? 0, rows: found.map(toSummary) };
}

/** Compared as base64, since decoding could fail. PostgreSQL breaks its lines. */
const draft = sql.raw(`(v.number is null or translate(
  coalesce(r.content->'sourceCode'->>'data', encode(b.data, 'base64'), ''), E' \\n\\r\\t', '')
  is distinct from translate(encode(convert_to(v.source, 'UTF8'), 'base64'), E'\\n', ''))`);

function toSummary(row: Found): BotRow {
  const { runs, failed } = row;
  return {
    id: row.id,
    name: row.name ?? '',
    description: row.description,
    identifier: row.identifier ?? [],
    lastUpdated: toInstant(row.last_updated),
    live: row.live,
    draft: row.draft,
    runs24h: runs,
    failed24h: failed,
    hours: toHours(row.hours ?? []),
    failing: isFailing({ runs, failed, last: row.run_status }),
    successPercent: runs === 0 ? null : Math.round(((runs - failed) / runs) * 1000) / 10,
    p95Ms: row.p95,
    lastRun:
      row.run_id && row.run_at && row.run_status
        ? { id: row.run_id, at: toInstant(row.run_at), status: row.run_status }
        : null,
  };
}

/** A clock that ran ahead by a moment counts as now. */
function toHours(found: NonNullable<Found['hours']>): BotRow['hours'] {
  const hours = Array.from({ length: 24 }, (): [number, number] => [0, 0]);
  for (const [ago, runs, failed] of found) {
    const hour = hours[23 - Math.min(23, Math.max(0, ago))]!;
    hour[0] += runs;
    hour[1] += failed;
  }
  return hours;
}
