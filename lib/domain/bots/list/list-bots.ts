import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { type BotList, type BotRow, type RunState, toCategoryName } from '#lib/protocol/bots/bots.ts';
import { isFailing } from '#lib/protocol/bots/failing-bot.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { CodeableConcept, Identifier, Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../../access/context.ts';
import { named, resolveNames } from '../../audit/resolve-names.ts';
import { sqlSourceHash } from '../../bytes/source-hash.ts';
import { sqlDraftFiles, sqlVersionFiles } from '../draft/source-code.ts';
import { toMs } from '../duration-slots.ts';
import { findTriggers, type Known } from './bot-triggers.ts';

/** More bots than anybody has. */
const MOST = 1000;

type Found = {
  id: string;
  name: string | null;
  description: string | null;
  identifier: Identifier[] | null;
  category: CodeableConcept[] | null;
  scheduled: boolean;
  webhook: boolean;
  membership_id: string | null;
  active: boolean | null;
  made_by: Reference | null;
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
};

/** The project's bots by name, with how they do: by what is counted of their runs, however many those are. For administrators. */
export async function listBots(ctx: Ctx, projectId: string): Promise<BotList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const found = await db().execute<Found>(sql`
    with hour as materialized (
      select bot_id, (extract(epoch from date_trunc('hour', now(), 'UTC') - hour) / 3600)::int as ago, runs, failed, slots, counts
      from bot_hour where project_id = ${projectId} and hour > now() - interval '24 hours'),
    sums as (
      select bot_id, sum(runs)::int as runs, sum(failed)::int as failed, json_agg(json_build_array(ago, runs, failed)) as hours
      from hour group by bot_id),
    lengths as (
      select bot_id, (min(slot) filter (where upto >= 0.95 * total))::int as p95 from (
        select bot_id, slot, sum(sum(n)) over (partition by bot_id order by slot) as upto, sum(sum(n)) over (partition by bot_id) as total
        from hour, unnest(slots, counts) as u(slot, n) group by bot_id, slot) as s
      group by bot_id)
    select r.id, r.name, r.description, r.identifier, r.category, r.last_updated,
      r."cronString" is not null or r."cronTiming" is not null as scheduled, coalesce(r."publicWebhook", false) as webhook,
      k.membership_id, k.active, m.content->'invitedBy' as made_by, d.number as live, ${draft} as draft,
      coalesce(s.runs, 0) as runs, coalesce(s.failed, 0) as failed, t.p95, s.hours, l.id as run_id, l.started_at as run_at, l.status as run_status
    from (
      select r.id, r.last_updated, c.name, c.description, c.identifier, c.category, c."cronString", c."cronTiming", c."publicWebhook", c."sourceCode" as source
      from resource r cross join lateral jsonb_to_record(r.content) as c(
        name text, description text, identifier jsonb, category jsonb, "cronString" text, "cronTiming" jsonb, "publicWebhook" boolean, "sourceCode" jsonb)
      where r.project_id = ${projectId} and r.type_id = ${typeId('Bot')} and not r.deleted
      order by lower(c.name), r.id limit ${MOST}) as r
    left join bot_deployment d on d.project_id = ${projectId} and d.bot_id = r.id::uuid
    left join bot_version v on v.project_id = ${projectId} and v.bot_id = d.bot_id and v.number = d.number
    left join binary_content b on b.project_id = ${projectId} and b.id =
      (case when r.source->>'url' ~ '^Binary/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(r.source->>'url', 8) end)::uuid
    left join binary_file f on f.project_id = ${projectId} and f.state = 'kept' and f.until is null and f.binary_id =
      (case when r.source->>'url' ~ '^Binary/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(r.source->>'url', 8) end)::uuid
    left join membership_key k on k.project_id = ${projectId} and k.user_ref = ('Bot/' || r.id) collate "default" and k.slot = ''
    left join resource m on m.project_id = ${projectId} and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    left join sums s on s.bot_id = r.id::uuid
    left join lengths t on t.bot_id = r.id::uuid
    left join lateral (
      select id, started_at, status from bot_run n where n.project_id = ${projectId} and n.bot_id = r.id::uuid
        and n.message is distinct from ${CANCELLED}
      order by n.started_at desc nulls last, n.id limit 1) as l on true
    order by lower(r.name), r.id`);
  const [total, triggers, names] = await Promise.all([
    found.length < MOST ? found.length : countBots(projectId),
    findTriggers(projectId, found.map(toKnown)),
    resolveNames(
      projectId,
      found.map(({ made_by: by }) => by?.reference),
    ),
  ]);
  return {
    total,
    rows: found.map((row) => ({
      ...toSummary(row),
      triggers: triggers.get(row.id) ?? [],
      madeBy: named(names, row.made_by?.reference) ?? null,
    })),
  };
}

function toKnown({ id, identifier, scheduled, webhook }: Found): Known {
  return { id, identifier: identifier ?? [], isScheduled: scheduled, isWebhook: webhook };
}

async function countBots(projectId: string): Promise<number> {
  const [row] = await db().execute<{ total: number }>(sql`
    select count(*)::int as total from resource where project_id = ${projectId} and type_id = ${typeId('Bot')} and not deleted`);
  return row!.total;
}

/** What is part of the resource is at hand; of a Binary, and of what runs, the hash is. */
const draft = sql`(v.number is null
  or case when r.source->>'data' is null and coalesce(b.source_hash, f.source_hash) is not null then coalesce(b.source_hash, f.source_hash)
    else ${sql.raw(sqlSourceHash(`coalesce(r.source->>'data', encode(b.data, 'base64'), '')`))} end
  is distinct from coalesce(v.source_hash, ${sql.raw(sqlSourceHash(`encode(convert_to(v.source, 'UTF8'), 'base64')`))})
  or case when ${sqlDraftFiles('r.source')} is not null then ${sqlDraftFiles('r.source')} <> ${sqlVersionFiles} else false end)`;

function toSummary(row: Found): Omit<BotRow, 'triggers' | 'madeBy'> {
  const { runs, failed } = row;
  return {
    id: row.id,
    name: row.name ?? '',
    description: row.description,
    identifier: row.identifier ?? [],
    category: (row.category ?? []).flatMap((one) => toCategoryName(one) ?? []),
    membershipId: row.membership_id,
    isOff: row.active === false,
    lastUpdated: toInstant(row.last_updated),
    live: row.live,
    draft: row.draft,
    runs24h: runs,
    failed24h: failed,
    hours: toHours(row.hours ?? []),
    failing: isFailing({ runs, failed, last: row.run_status }),
    successPercent: runs === 0 ? null : Math.round(((runs - failed) / runs) * 1000) / 10,
    p95Ms: row.p95 === null ? null : toMs(row.p95),
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
