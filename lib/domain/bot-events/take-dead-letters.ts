import { and } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';
import { type DeadLettersDone, type DeadLettersRequest, MOST_AT_ONCE } from '#lib/protocol/bots/dead-letters.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { orderOf } from '../store/feeds/order-of.ts';
import type { EventJob } from './bury.ts';
import { isWhich } from './list-dead-letters.ts';
import { laneOf } from './queue-bot-event.ts';

/** Whoever replays what ran in a loop has looked at it: the next is counted from here. */
const UNCOUNTED = { depth: '0' };

type Letter = { id: string; botId: string | null; job: EventJob };

/**
 * Queues events that were given up once more, as they came, and takes them off the list: each runs with what its bot is now, and its attempts begin anew.
 * An id that is gone is passed over: somebody else was first.
 */
export function replayDeadLetters(ctx: Ctx, projectId: string, asked: DeadLettersRequest): Promise<DeadLettersDone> {
  return take(ctx, projectId, asked, 'bot.event.replay', async (tx, letters) => {
    await runText(
      tx,
      `update bot_event set state = 'waiting', ended_at = null
      where project_id = $1::uuid and id = any($2::uuid[]) and state = 'dead'`,
      [projectId, toTextArray(letters.map(({ id }) => id))],
    );
    await Promise.all(
      letters.map(({ job: { name, data } }) =>
        queueJob(
          tx,
          name,
          { ...data, ...(name === 'hook' && UNCOUNTED), replay: String(Number(data.replay ?? 0) + 1) },
          0,
          projectId,
          keyOf(name, data),
        ),
      ),
    );
  });
}

/** As it was queued first: those of one come one after the other. */
function keyOf(name: EventJob['name'], data: EventJob['data']): string | undefined {
  const { subscriptionId = '', type = '', id = '', botId = '', lane = '' } = data;
  if (name === 'hook') return orderOf({ subscriptionId, type, id });
  return lane === '' ? undefined : laneOf({ botId, lane });
}

/** Nothing runs with these any more: what stands nowhere else of them is gone, too. */
export function dropDeadLetters(ctx: Ctx, projectId: string, asked: DeadLettersRequest): Promise<DeadLettersDone> {
  return take(ctx, projectId, asked, 'bot.event.drop', async (tx, letters) => {
    await runText(
      tx,
      `update bot_event set state = 'ended', input = null, ended_at = now()
      where project_id = $1::uuid and id = any($2::uuid[]) and state = 'dead'`,
      [projectId, toTextArray(letters.map(({ id }) => id))],
    );
  });
}

async function take(
  ctx: Ctx,
  projectId: string,
  { ids, all }: DeadLettersRequest,
  action: 'bot.event.replay' | 'bot.event.drop',
  then: (tx: Queryable, letters: Letter[]) => Promise<void>,
): Promise<DeadLettersDone> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  return write(ctx, async (w) => {
    const found = await w.tx
      .select({ id: deadLetter.id, botId: deadLetter.botId, job: deadLetter.job })
      .from(deadLetter)
      .where(and(isWhich(projectId, all ?? {}), ids && isAnyUuidOf(deadLetter.id, ids)))
      .orderBy(deadLetter.firstFailedAt, deadLetter.id)
      .limit(MOST_AT_ONCE + 1)
      .for('update', { skipLocked: true });
    const letters = found.slice(0, MOST_AT_ONCE) as Letter[];
    if (letters.length === 0) w.unchanged();
    else {
      await w.tx.delete(deadLetter).where(
        and(
          isWhich(projectId, {}),
          isAnyUuidOf(
            deadLetter.id,
            letters.map(({ id }) => id),
          ),
        ),
      );
      await then(w.tx, letters);
    }
    for (const [botId, of] of Map.groupBy(letters, (letter) => letter.botId)) {
      const target = botId === null ? `Project/${projectId}` : `Bot/${botId}`;
      w.audit({ projectId, action, target, after: { events: of.length } });
    }
    return { count: letters.length, more: found.length > letters.length };
  });
}
