import { sql } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { WOKEN } from './listened.ts';
import { isFeed, requireFeed } from './require-feed.ts';

/** Of one request: who has more asks again. */
const MOST = 1000;

/** A message that has ended runs again, at the place where it came. Throws 403, 404, and 409 for one that has not ended, or says nothing any more. */
export async function replayMessage(ctx: Ctx, projectId: string, feedId: string, messageId: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(messageId)) throw notFound();
  await write(ctx, async (w) => {
    const { botId } = await requireFeed(ctx, projectId, feedId, w.tx);
    const here = sql`m.project_id = ${projectId}::uuid and m.feed_id = ${feedId}::uuid and m.id = ${messageId}::uuid`;
    const [row] = await w.tx.execute<{ can: boolean }>(
      sql`select m.state in ('done', 'failed') and m.text is not null as can from hl7_message m where ${here} for update`,
    );
    if (!row) throw notFound();
    if (!row.can) throw new AppError('conflict', 'It has not ended yet, or what it said was erased');
    await w.tx.execute(
      sql`update hl7_message m set state = 'waiting', tries = 0, answer = null, failure = null where ${here}`,
    );
    await w.tx.update(hl7Feed).set(WOKEN).where(isFeed(projectId, feedId));
    const after = { feed: feedId, message: messageId };
    w.audit({ projectId, action: 'hl7.message.replay', target: `Bot/${botId}`, after });
  });
}

/** All that have failed run again, in their order, a thousand at once: how many. Throws 403 and 404. */
export async function replayFailed(ctx: Ctx, projectId: string, feedId: string): Promise<number> {
  requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { botId } = await requireFeed(ctx, projectId, feedId, w.tx);
    const rows = await w.tx.execute(sql`
      update hl7_message m set state = 'waiting', tries = 0, answer = null, failure = null
      where m.project_id = ${projectId}::uuid and m.id in (
        select f.id from hl7_message f where f.project_id = ${projectId}::uuid and f.feed_id = ${feedId}::uuid and f.state = 'failed' and f.text is not null
        order by f.seq limit ${MOST}) returning 1`);
    if (rows.length === 0) w.unchanged();
    else {
      await w.tx.update(hl7Feed).set(WOKEN).where(isFeed(projectId, feedId));
      const after = { feed: feedId, messages: rows.length };
      w.audit({ projectId, action: 'hl7.message.replay', target: `Bot/${botId}`, after });
    }
    return rows.length;
  });
}
