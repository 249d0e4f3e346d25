import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';

/** What stands in its run's record as the trigger. */
export type EventTrigger = 'cron' | 'hl7' | 'mail' | 'webhook';

/** What a bot is given. `value`: JSON for `json`, else the text. */
export type EventInput = {
  event: { kind: 'json'; value: unknown } | { kind: 'text' | 'hl7'; value: string };
  contentType: string;
  headers: Record<string, string>;
};

export type BotEventAsk = {
  projectId: string;
  botId: string;
  trigger: EventTrigger;
  /** Names the event for who sends it, up to 300 characters: the same of one bot is accepted once, for as long as RETAIN_IDEMPOTENCY_DAYS says. */
  key: string;
  /** What names it to people, when it is given up: never anything of a patient. */
  focus: string;
  input: EventInput;
  /** Events of one bot and lane run one after the other, in the order in which they were accepted. Default: all at once. */
  lane?: string;
  /** How often it is tried when the bot itself fails (from 1 to 18). Default: 1. What keeps a run from being carried out is no attempt. */
  attempts?: number;
};

/** Events with the same come one after the other. */
export function laneOf({ botId, lane }: { botId: string; lane: string }): string {
  return `${botId} ${lane}`;
}

const MOST_KEY = 300;
/** Of one project. */
const MOST_WAITING = 10_000;

/**
 * Accepts an event for a bot in the caller's transaction: when that commits, the bot runs with it at least once, under its own membership, and it
 * ends exactly once: as a run on record that went well, or as a dead letter. Resolves to its id; undefined for a key that was accepted
 * before, where nothing is queued. Throws 429 while 10,000 events of the project wait, 413 for an input that is larger than a body may be.
 */
export async function queueBotEvent(tx: Queryable, ask: BotEventAsk): Promise<string | undefined> {
  const { projectId, botId, trigger, key, focus, lane = '', attempts = 1 } = ask;
  if (key === '' || key.length > MOST_KEY)
    throw new AppError('invalid', `The key of an event has 1 to ${MOST_KEY} characters`, { expression: 'key' });
  const input = JSON.stringify(ask.input);
  if (input.length > 2 * env().MAX_BODY_MIB * 1024 * 1024)
    throw new AppError('content-too-large', 'The event is larger than a body may be');
  const id = newId();
  const [answer] = await runText<{ waiting: number; made: number }>(tx, ACCEPT, [
    projectId,
    id,
    botId,
    trigger,
    key,
    input,
    MOST_WAITING,
  ]);
  if ((answer?.waiting ?? 0) >= MOST_WAITING) throw tooManyEvents();
  if (!answer?.made) return undefined;
  await queueJob(
    tx,
    'event',
    { projectId, eventId: id, botId, trigger, focus, lane, attempts: String(attempts) },
    0,
    projectId,
    lane === '' ? undefined : laneOf({ botId, lane }),
  );
  return id;
}

/** A known key is no new event, however many wait: it is answered as before. */
const ACCEPT = `
  with waiting as materialized (
    select count(*)::int as n from (select 1 from bot_event where project_id = $1::uuid and state = 'waiting' limit $7::int) as w),
  made as (
    insert into bot_event (project_id, id, bot_id, trigger, key, input)
    select $1::uuid, $2::uuid, $3::uuid, $4, $5, $6 from waiting where n < $7::int
    on conflict (project_id, bot_id, key) do nothing returning 1)
  select case when exists (select 1 from bot_event where project_id = $1::uuid and bot_id = $3::uuid and key = $5)
    then 0 else (select n from waiting) end as waiting, (select count(*)::int from made) as made`;

function tooManyEvents(): AppError {
  return new AppError('too-many-requests', `${MOST_WAITING} events of this project wait for their bots`, {
    retryAfterSeconds: 30,
  });
}
