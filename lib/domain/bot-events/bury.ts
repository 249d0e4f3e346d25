import { createHash } from 'node:crypto';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import type { JobName } from '#lib/infra/jobs/jobs.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';

/** An event, as the queue had it. */
export type EventJob = { name: Extract<JobName, 'hook' | 'event'>; data: Record<string, string> };

export type Burial = {
  projectId: string;
  id: string;
  /** Null where none was found. */
  botId: string | null;
  trigger: string;
  job: EventJob;
  focus: string;
  attempts: number;
  message: string;
  /** That of the run that it failed with. */
  fingerprint?: string | null;
  firstFailedAt?: Date;
};

/** Of one project: the oldest go for others, and the audit log says so. */
const MOST_LETTERS = 10_000;
const MOST_MESSAGE = 2000;

/** An event is given up: it stands among the dead letters of its project, once, until somebody replays or drops it; one that was ended meanwhile is over. */
export async function bury(burial: Burial): Promise<void> {
  const { projectId, id, botId, trigger, focus, attempts } = burial;
  const message = burial.message.replaceAll('\u0000', '').toWellFormed().slice(0, MOST_MESSAGE);
  const ctx: Ctx = { requestId: `event-${newId()}`, remoteAddress: '', userAgent: '' };
  await write(ctx, async (w) => {
    const [made] = await runText<{ over: number }>(w.tx, INSERT, [
      projectId,
      id,
      botId,
      trigger,
      JSON.stringify(burial.job),
      focus,
      attempts,
      burial.firstFailedAt?.toISOString() ?? null,
      message,
      burial.fingerprint ?? fingerprintOf(trigger, botId, message),
    ]);
    if (!made) return w.unchanged();
    const target = botId ? `Bot/${botId}` : focus;
    w.audit({ projectId, action: 'bot.event.fail', target, outcome: 4, after: { event: focus, attempts } });
    const dropped = await runText(w.tx, DROP_OLDEST, [projectId, MOST_LETTERS]);
    if (dropped.length === 0) return;
    const after = { dropped: dropped.length, because: `more than ${MOST_LETTERS}` };
    w.audit({ projectId, action: 'bot.event.drop', target: `Project/${projectId}`, outcome: 4, after });
  });
}

/**
 * What the queue alone had names what is stored elsewhere; an event of ours has its input, which waits with the letter. In one statement: an erasure that
 * ends the event meanwhile is waited for.
 */
const INSERT = `
  with dead as (
    update bot_event set state = 'dead', ended_at = now() where project_id = $1::uuid and id = $2::uuid and state = 'waiting' returning 1)
  insert into dead_letter (project_id, id, bot_id, trigger, job, focus, attempts, first_failed_at, last_failed_at, message, fingerprint)
  select $1::uuid, $2::uuid, $3::uuid, $4, $5::text::jsonb, $6, $7::int, coalesce($8::timestamptz, now()), now(), $9, $10
  where exists (select from dead) or not exists (select from bot_event where project_id = $1::uuid and id = $2::uuid)
  on conflict do nothing returning 1`;

/** What an event was given goes with its letter. */
const DROP_OLDEST = `
  with gone as (
    delete from dead_letter where project_id = $1::uuid and id = any(array(
      select id from dead_letter where project_id = $1::uuid order by last_failed_at desc, id offset $2::int limit 100)) returning id),
  ended as (
    update bot_event set state = 'ended', input = null where project_id = $1::uuid and id in (select id from gone) and state = 'dead')
  select id from gone`;

/** Of what failed without a run: the first line says what it is; names, numbers and what is quoted differ from one to the next. */
function fingerprintOf(trigger: string, botId: string | null, message: string): string {
  const [first = ''] = message.split('\n');
  const kind = first.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+|"[^"]*"|'[^']*'/gi, '#');
  return createHash('sha256').update(`${trigger} ${botId} ${kind}`).digest('hex').slice(0, 16);
}
