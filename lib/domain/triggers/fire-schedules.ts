import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { readEventAttempts } from '#lib/protocol/bots/event-attempts.ts';
import { passedTimes } from '#lib/protocol/bots/times/schedule.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { claimDue, type DuePlace, type Fired, findDue, moveOn } from '../bot-events/due-schedules.ts';
import { queueBotEvent } from '../bot-events/queue-bot-event.ts';
import { loadBot } from '../bots/load-bot.ts';
import { toWire } from '../store/row.ts';

const BATCH = 100;
/** More of them are not counted. */
const MOST_MISSED = 1000;

const WAITS = 'An earlier time waits to be run';

const CTX: Ctx = { requestId: 'cron', remoteAddress: '', userAgent: '' };

/**
 * Accepts the events of all bots whose time has come: each time once, by whichever process is first, since the same transaction moves its next time on.
 * Of times that passed while no server ran, or while one of its bot waits to be run, one alone is made up for; the others are missed, and said to be.
 */
export async function fireSchedules(stopped?: AbortSignal): Promise<void> {
  // One that cannot be fired stays where it is, and is passed: it keeps nobody waiting who comes behind it.
  for (let due: DuePlace[] | undefined; (!due || due.length === BATCH) && !stopped?.aborted; ) {
    due = await findDue(BATCH, due?.at(-1));
    for (const one of due) {
      if (stopped?.aborted) return;
      await fire(one).catch((err: unknown) => log.warn({ err, ...one }, 'a time of a bot could not be fired'));
    }
  }
}

type Due = { projectId: string; botId: string };

async function fire(due: Due): Promise<void> {
  await write(
    CTX,
    async (w) => {
      w.unchanged();
      const claimed = await claimDue(w.tx, due);
      if (!claimed) return;
      const { schedule, dueAt, now } = claimed;
      const fired: Fired = { ...passedTimes(schedule, dueAt, now, MOST_MISSED), dueAt, note: null };
      if (fired.missed > 0) log.warn({ ...due, missed: fired.missed, since: dueAt }, 'times of a bot were missed');
      const note = await accept(w, due, fired);
      await moveOn(w.tx, due, { ...fired, missed: fired.missed + (note === WAITS ? 1 : 0), note });
    },
    { notes: true },
  );
}

/** Why it is not run; null where it is. */
async function accept(w: Write, due: Due, fired: Fired): Promise<string | null> {
  try {
    return await queue(w, due, fired);
  } catch (error) {
    // Also of a closed project, and of a bot whose policies are broken: its time has passed.
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

async function queue(w: Write, { projectId, botId }: Due, { lastAt, missed }: Fired): Promise<string | null> {
  const bot = await loadBot(projectId, botId);
  if (!bot) return 'The bot is gone';
  if (!bot.actor) return 'The bot has no active membership to run under';
  // Each minute's would be a dead letter, of which a project has so many: the oldest go for others.
  if (!bot.code) return 'No executable code: deploy the bot first';
  if (!bot.actor.features.includes('cron')) return 'The project has not the feature cron';
  if (await hasWaiting(w.tx, projectId, botId)) return WAITS;
  const at = lastAt.toISOString();
  const text = toWire(bot.row, false);
  const headers = { 'x-gatehouse-scheduled-at': at, 'x-gatehouse-missed': String(missed) };
  const input = {
    event: { kind: 'json' as const, value: JSON.parse(text) },
    contentType: 'application/fhir+json',
    headers,
  };
  const queued = await queueBotEvent(w.tx, {
    projectId,
    botId,
    trigger: 'cron',
    key: `cron ${at}`,
    focus: `cron ${at}`,
    input,
    lane: 'cron',
    attempts: readEventAttempts(bot.resource),
  });
  return queued === undefined ? `It has run at ${at} before` : null;
}

/** One that runs does not wait (run-event.ts names the run), nor one of long ago: that is tried again, maybe for days. */
async function hasWaiting(tx: Queryable, projectId: string, botId: string): Promise<boolean> {
  const waiting = await runText(
    tx,
    `select from bot_event e where project_id = $1::uuid and state = 'waiting' and bot_id = $2::uuid and trigger = 'cron'
      and e.created_at > now() - interval '1 hour' and not exists (
      select from bot_running r where r.project_id = $1::uuid and r.request_id = 'cron-' || e.id and r.ends_by > now()) limit 1`,
    [projectId, botId],
  );
  return waiting.length > 0;
}
