import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { EVENT_NAMES, isWhole } from '../bots/whole-runs.ts';
import { EDITED } from './replay-run.ts';
import type { RunRow } from './run-rows.ts';

/** Of runs that are replays of replays, how far it is looked. */
const MOST_DEEP = 200;

export type RunInput = {
  /** The same for all runs that were given the same: attempts at one event, and whatever is a replay, or a replay of one, of it. */
  input: string;
  /** Another of these went well, or one that is a replay was on the version that is asked for. */
  isDone: boolean;
};

type Found = { id: string; input: string; is_ok: boolean; again: number[]; alike: number[]; live: number | null };

/** What each of these runs was given, and whether that has been run again as it is to be. */
export async function findInputs(
  projectId: string,
  rows: readonly RunRow[],
  version: 'same' | 'live',
): Promise<Map<string, RunInput>> {
  const project = sql`${projectId}::uuid`;
  const ids = toTextArray(rows.map(({ id }) => id));
  const found = await db().execute<Found>(sql`
    with recursive asked as (
      select id, bot_id, trigger, status, input_headers->>'idempotency-key' as key,
        case when input_headers->>${EDITED} is null then replay_of end as replay_of
      from bot_run where project_id = ${project} and id = any(${ids}::uuid[])),
    up as (
      select id as run, coalesce(replay_of, id) as at, 0 as depth from asked
      union all
      select u.run, r.replay_of, u.depth + 1 from up u join bot_run r on r.project_id = ${project} and r.id = u.at
      where r.replay_of is not null and r.input_headers->>${EDITED} is null and u.depth < ${MOST_DEEP}),
    root as (select distinct on (run) run, at from up order by run, depth desc),
    told as (
      select a.id, a.bot_id, a.key from asked a join root o on o.run = a.id
      left join bot_run f on f.project_id = ${project} and f.id = o.at
      where a.key is not null and coalesce(f.trigger, a.trigger) in (${EVENT_NAMES})),
    down as (
      select o.at, r.id, r.status, r.version, r.message, 0 as depth from (select distinct at from root) as o
      join bot_run r on r.project_id = ${project} and r.replay_of = o.at and r.input_headers->>${EDITED} is null
      union all
      select d.at, r.id, r.status, r.version, r.message, d.depth + 1 from down d
      join bot_run r on r.project_id = ${project} and r.replay_of = d.id and r.input_headers->>${EDITED} is null
      where d.depth < ${MOST_DEEP}),
    again as (
      select at, count(*) filter (where status = 'ok')::int as ok, json_agg(distinct version) filter (where ${isWhole}) as versions
      from down group by at),
    alike as (
      select t.bot_id, t.key, count(*) filter (where r.status = 'ok')::int as ok,
        json_agg(distinct r.version) filter (where r.replay_of is not null and ${isWhole}) as versions
      from (select distinct bot_id, key from told) as t
      join bot_run r on r.project_id = ${project} and r.input_headers->>'idempotency-key' = t.key and r.bot_id = t.bot_id
        and r.trigger in (${EVENT_NAMES}, 'replay') group by t.bot_id, t.key)
    select a.id, coalesce(a.bot_id || ' ' || t.key, o.at::text) as input, l.number as live,
      coalesce(g.ok, 0) > (case when a.status = 'ok' and o.at <> a.id then 1 else 0 end)
        or coalesce(k.ok, 0) > (case when a.status = 'ok' then 1 else 0 end) as is_ok,
      coalesce(g.versions, '[]') as again, coalesce(k.versions, '[]') as alike
    from asked a join root o on o.run = a.id
    left join told t on t.id = a.id
    left join again g on g.at = o.at
    left join alike k on k.bot_id = t.bot_id and k.key = t.key
    left join bot_deployment l on l.project_id = ${project} and l.bot_id = a.bot_id`);
  const versionOf = new Map(rows.map(({ id, version: number }) => [id, number]));
  return new Map(
    found.map(({ id, input, is_ok: isOk, again, alike, live }) => {
      const wanted = version === 'live' ? live : versionOf.get(id);
      return [id, { input, isDone: isOk || [...again, ...alike].some((number) => number === wanted) }];
    }),
  );
}
