import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { RunRow } from './run-rows.ts';

/** Of runs that are replays of replays, how far it is looked. */
const MOST_DEEP = 200;

/** Those whose events we name ourselves: the key of a caller may be that of many. */
const EVENT_NAMES = sql.raw(`'subscription', 'cron', 'hl7', 'mail'`);

export type RunInput = {
  /** The same for all runs that were given the same: attempts at one event, and whatever is a replay, or a replay of one, of it. */
  input: string;
  /** Another of these went well, or one that is a replay was on the version that is asked for. */
  isDone: boolean;
};

type Found = { id: string; input: string; is_ok: boolean; versions: number[]; live: number | null };

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
      select id, bot_id, trigger, replay_of, input_headers->>'idempotency-key' as key from bot_run
      where project_id = ${project} and id = any(${ids}::uuid[])),
    up as (
      select id as run, coalesce(replay_of, id) as at, 0 as depth from asked
      union all
      select u.run, r.replay_of, u.depth + 1 from up u join bot_run r on r.project_id = ${project} and r.id = u.at
      where r.replay_of is not null and u.depth < ${MOST_DEEP}),
    root as (select distinct on (run) run, at from up order by run, depth desc),
    told as (
      select a.id, a.bot_id, a.key from asked a join root o on o.run = a.id
      left join bot_run f on f.project_id = ${project} and f.id = o.at
      where coalesce(f.trigger, a.trigger) in (${EVENT_NAMES})),
    alike as (
      select t.id as run, r.id, r.status, r.version, r.replay_of is not null as is_replay from told t
      join bot_run r on r.project_id = ${project} and r.input_headers->>'idempotency-key' = t.key and r.bot_id = t.bot_id
        and r.trigger in (${EVENT_NAMES}, 'replay')),
    down as (
      select o.at, r.id, r.status, r.version, 0 as depth from (select distinct at from root) as o
      join bot_run r on r.project_id = ${project} and r.replay_of = o.at
      union all
      select d.at, r.id, r.status, r.version, d.depth + 1 from down d
      join bot_run r on r.project_id = ${project} and r.replay_of = d.id where d.depth < ${MOST_DEEP}),
    again as (
      select o.run, d.id, d.status, d.version, true as is_replay from root o join down d on d.at = o.at
      union all
      select run, id, status, version, is_replay from alike)
    select a.id, coalesce(a.bot_id || ' ' || t.key, o.at::text) as input, l.number as live, coalesce(s.is_ok, false) as is_ok,
      coalesce(s.versions, '[]') as versions
    from asked a join root o on o.run = a.id
    left join told t on t.id = a.id
    left join bot_deployment l on l.project_id = ${project} and l.bot_id = a.bot_id
    left join (
      select run, bool_or(status = 'ok' and id <> run) as is_ok, json_agg(distinct version) filter (where is_replay and version is not null) as versions
      from again group by run) as s on s.run = a.id`);
  const versionOf = new Map(rows.map(({ id, version: number }) => [id, number]));
  return new Map(
    found.map(({ id, input, is_ok: isOk, versions, live }) => {
      const wanted = version === 'live' ? live : versionOf.get(id);
      return [id, { input, isDone: isOk || versions.some((number) => number === wanted) }];
    }),
  );
}
