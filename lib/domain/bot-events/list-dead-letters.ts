import { and, eq, gt, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { deadLetter } from '#lib/infra/db/schema/bot-events.ts';
import { countWaiting } from '#lib/infra/jobs/count-waiting.ts';
import type { DeadLetter, DeadLetterPage, DeadLettersQuery } from '#lib/protocol/bots/dead-letters.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';

export type Which = Pick<DeadLettersQuery, 'bot' | 'trigger' | 'fingerprint'>;

/** For administrators. Throws 403, and 404 for no project. */
export async function listDeadLetters(
  ctx: Ctx,
  projectId: string,
  { cursor, _count: count, ...which }: DeadLettersQuery,
): Promise<DeadLetterPage> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { id, lastFailedAt } = deadLetter;
  const after = cursor && and(lte(lastFailedAt, cursor.at), or(lt(lastFailedAt, cursor.at), gt(id, cursor.id)));
  const [found, waiting] = await Promise.all([
    db()
      .select()
      .from(deadLetter)
      .where(and(isWhich(projectId, which), after))
      .orderBy(sql`${lastFailedAt} desc nulls last`, id)
      .limit(count + 1),
    countWaiting(projectId),
  ]);
  const rows = found.slice(0, count);
  const last = found.length > count ? rows.at(-1) : undefined;
  return {
    rows: rows.map(toLetter),
    next: last ? formatCursor({ at: last.lastFailedAt, id: last.id }) : null,
    ...waiting,
  };
}

export function isWhich(projectId: string, { bot, trigger, fingerprint }: Which): SQL | undefined {
  return and(
    eq(deadLetter.projectId, projectId),
    bot === undefined ? undefined : eq(deadLetter.botId, bot),
    trigger === undefined ? undefined : eq(deadLetter.trigger, trigger),
    fingerprint === undefined ? undefined : eq(deadLetter.fingerprint, fingerprint),
  );
}

function toLetter(row: typeof deadLetter.$inferSelect): DeadLetter {
  const { id, botId, trigger, focus, attempts, firstFailedAt, lastFailedAt, message, fingerprint } = row;
  const { subscriptionId } = (row.job as { data: Record<string, string> }).data;
  return {
    id,
    bot: botId === null ? null : { reference: `Bot/${botId}` },
    trigger,
    event: focus,
    subscription: subscriptionId === undefined ? null : { reference: `Subscription/${subscriptionId}` },
    attempts,
    firstFailedAt: firstFailedAt.toISOString(),
    lastFailedAt: lastFailedAt.toISOString(),
    message,
    fingerprint,
  };
}
