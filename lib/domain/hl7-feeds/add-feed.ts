import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import type { Hl7Feed } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { FeedRequest } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { shareProject } from '../memberships/share-project.ts';
import { throwTaken, toColumns, toTold } from './feed-columns.ts';
import { readFeed } from './list-feeds.ts';

const MOST_FEEDS = 20;

/**
 * A feed that is listened to within a second. Throws 400 for a port that the server does not have or a bot that is not there, 403, 404, and 409 for a port or a
 * certificate of another feed, and one too many.
 */
export async function addFeed(ctx: Ctx, projectId: string, request: FeedRequest): Promise<Hl7Feed> {
  requireProjectAdmin(ctx, projectId);
  const columns = await toColumns(projectId, request);
  const id = newId();
  await write(ctx, async (w) => {
    await lockName(w.tx, `hl7-feeds:${projectId}`);
    await shareProject(w.tx, projectId);
    const [counted] = await w.tx
      .select({ n: sql<number>`count(*)::int` })
      .from(hl7Feed)
      .where(eq(hl7Feed.projectId, projectId));
    if ((counted?.n ?? 0) >= MOST_FEEDS)
      throw new AppError('conflict', `A project has at most ${MOST_FEEDS} feeds; take one out first`);
    await w.tx
      .insert(hl7Feed)
      .values({ id, projectId, ...columns })
      .catch((error) => throwTaken(error, columns));
    w.audit({ projectId, action: 'hl7.feed.create', target: `Bot/${columns.botId}`, after: toTold(columns) });
  });
  return readFeed(ctx, projectId, id);
}
