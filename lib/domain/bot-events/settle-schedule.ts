import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { nextTimes, readSchedule } from '#lib/protocol/bots/times/schedule.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Bot, Project } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { findRow } from '../store/find-row.ts';
import { fromRaw, type RawRow, type Row, toResource } from '../store/row.ts';

/**
 * When a Bot runs by itself from now on, after each change of it, in its transaction. Throws 422 for times that cannot be honoured, and for any where the
 * project has not the feature `cron`.
 */
export async function settleSchedule(w: Write, row: Row): Promise<void> {
  const { projectId, id } = row;
  const bot = row.deleted ? undefined : toResource<Bot>(row);
  const schedule = bot && readSchedule(bot);
  if (!schedule) {
    // Which few have had times at all is not asked first.
    if (row.deleted || row.version > 1) await runText(w.tx, DELETE, [projectId, id]);
    return;
  }
  await requireFeature(w, projectId, bot.cronString === undefined ? 'cronTiming' : 'cronString');
  const [next] = nextTimes(schedule, new Date(), 1);
  await runText(w.tx, UPSERT, [projectId, id, JSON.stringify(schedule), next?.toISOString()]);
}

const DELETE = 'delete from bot_schedule where project_id = $1::uuid and bot_id = $2::uuid';

/** A change of something else takes no time away that is due just now. */
const UPSERT = `
  insert into bot_schedule (project_id, bot_id, times, next_at) values ($1::uuid, $2::uuid, $3, $4::timestamptz)
  on conflict (project_id, bot_id) do update set times = excluded.times, note = null,
    next_at = case when bot_schedule.times = excluded.times then bot_schedule.next_at else excluded.next_at end`;

async function requireFeature(w: Write, projectId: string, element: string): Promise<void> {
  const row = await findRow(projectId, 'Project', projectId, w.tx);
  if (row && toResource<Project>(row).features?.includes('cron')) return;
  const text = 'Times of bots are not enabled in this project: it has not the feature cron';
  throw new AppError('business-rule', text, { expression: `Bot.${element}` });
}

/** That are looked at together. */
const BATCH = 1000;

/** Of a project that came as a file: how many run at their times here. Times that its server took and this one does not are told nobody: the bot says them still. */
export async function settleSchedules(w: Write, projectId: string): Promise<number> {
  let count = 0;
  let last: string | undefined = '';
  while (last !== undefined) {
    const rows: RawRow[] = await runText<RawRow>(w.tx, SCHEDULED, [projectId, last]);
    for (const raw of rows) {
      try {
        await settleSchedule(w, fromRaw(projectId, 'Bot', raw));
        count += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    last = rows.length === BATCH ? rows.at(-1)!.id : undefined;
  }
  return count;
}

const SCHEDULED = `
  select r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content from resource r
  where r.project_id = $1::uuid and r.type_id = ${typeId('Bot')} and not r.deleted and (r.content ? 'cronString' or r.content ? 'cronTiming')
    and r.id > $2 order by r.id limit ${BATCH}`;
