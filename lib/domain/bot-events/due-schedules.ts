import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { Schedule } from '#lib/protocol/bots/times/schedule.ts';

type Due = { projectId: string; botId: string };

/** Where a walk through all that are due stands: `at` as PostgreSQL writes it. */
export type DuePlace = Due & { at: string };

const FIRST: Omit<DuePlace, 'projectId'> = { at: '-infinity', botId: '00000000-0000-0000-0000-000000000000' };

/** Those behind `after`, looked for across all projects, by the index of the next time. */
export async function findDue(most: number, after?: DuePlace): Promise<DuePlace[]> {
  const { at, botId } = after ?? FIRST;
  const rows = await runText<{ project_id: string; bot_id: string; at: string }>(
    db(),
    `select project_id, bot_id, next_at::text as at from bot_schedule
    where next_at <= now() and next_at >= $2::timestamptz and (next_at, bot_id) > ($2::timestamptz, $3::uuid)
    order by next_at, bot_id limit $1::int`,
    [most, at, botId],
  );
  return rows.map((row) => ({ projectId: row.project_id, botId: row.bot_id, at: row.at }));
}

/** One that is due, for whoever asks first; undefined when another is at it or was. */
export async function claimDue(
  tx: Queryable,
  { projectId, botId }: Due,
): Promise<{ schedule: Schedule; dueAt: Date; now: Date } | undefined> {
  const [row] = await runText<{ times: string; next_at: string; now: string }>(
    tx,
    `select times, next_at::text as next_at, now()::text as now from bot_schedule
    where project_id = $1::uuid and bot_id = $2::uuid and next_at <= now() for update skip locked`,
    [projectId, botId],
  );
  if (!row) return undefined;
  const schedule = JSON.parse(row.times) as Schedule;
  return { schedule, dueAt: new Date(toInstant(row.next_at)), now: new Date(toInstant(row.now)) };
}

/** `missed`: of the times from `dueAt` to `lastAt`, those that were not fired. */
export type Fired = { nextAt: Date; lastAt: Date; missed: number; dueAt: Date; note: string | null };

/** What was missed last stays told. */
export async function moveOn(tx: Queryable, { projectId, botId }: Due, fired: Fired): Promise<void> {
  await runText(
    tx,
    `update bot_schedule set next_at = $3::timestamptz, last_at = $4::timestamptz, note = $7,
      missed = case when $5::int > 0 then $5::int else missed end,
      missed_since = case when $5::int > 0 then $6::timestamptz else missed_since end
    where project_id = $1::uuid and bot_id = $2::uuid`,
    [
      projectId,
      botId,
      fired.nextAt.toISOString(),
      fired.lastAt.toISOString(),
      fired.missed,
      fired.dueAt.toISOString(),
      fired.note,
    ],
  );
}

type Kept = {
  times: string;
  last_at: string | null;
  missed_since: string | null;
  missed: number;
  note: string | null;
};

/** What is known of a bot's times; undefined for one without. */
export async function findSchedule(projectId: string, botId: string) {
  const [row] = await runText<Kept>(
    db(),
    `select times, last_at::text as last_at, missed_since::text as missed_since, missed, note from bot_schedule
    where project_id = $1::uuid and bot_id = $2::uuid`,
    [projectId, botId],
  );
  if (!row) return undefined;
  return {
    schedule: JSON.parse(row.times) as Schedule,
    lastAt: row.last_at === null ? null : toInstant(row.last_at),
    missed: row.missed_since === null ? null : { times: row.missed, since: toInstant(row.missed_since) },
    note: row.note,
  };
}
