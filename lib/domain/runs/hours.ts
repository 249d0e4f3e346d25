import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { toSlot } from '../bots/duration-slots.ts';

/** Adds to the hours of bots what these runs come to, but for those that were cut off: they say nothing of their bot. `runs`: what stands after FROM. */
export function addHours(runs: string): string {
  return `
    insert into bot_hour (project_id, hour, bot_id, runs, failed, slots, counts) ${hoursOf(runs)}
    on conflict (project_id, hour, bot_id) do update set
      runs = bot_hour.runs + excluded.runs, failed = bot_hour.failed + excluded.failed,
      (slots, counts) = (
        select array_agg(slot order by slot), array_agg(n order by slot) from (
          select slot, sum(n)::int as n from (
            select * from unnest(bot_hour.slots, bot_hour.counts) as a(slot, n)
            union all select * from unnest(excluded.slots, excluded.counts) as b(slot, n)) as u
          group by slot) as s)`;
}

/** In the order of the key: of two processes that add to the same hours one waits for the other, and never both. */
function hoursOf(runs: string): string {
  return `
    select project_id, hour, bot_id, sum(n)::int as runs, sum(failed)::int as failed, array_agg(slot order by slot) as slots, array_agg(n order by slot) as counts
    from (
      select project_id, date_trunc('hour', started_at, 'UTC') as hour, bot_id, ${toSlot('duration_ms')} as slot,
        count(*)::int as n, (count(*) filter (where status <> 'ok'))::int as failed
      from ${runs} where message is distinct from '${CANCELLED}' group by 1, 2, 3, 4) as s
    group by 1, 2, 3 order by 1, 2, 3`;
}
