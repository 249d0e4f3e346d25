import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';

export type FeedRow = typeof hl7Feed.$inferSelect;

/** A feed of the project in the path, for its administrators. Throws 403 and 404. */
export async function requireFeed(ctx: Ctx, projectId: string, feedId: string, tx?: Queryable): Promise<FeedRow> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(feedId)) throw notFound();
  const asked = (tx ?? db()).select().from(hl7Feed).where(isFeed(projectId, feedId));
  const [row] = await (tx ? asked.for('update') : asked);
  if (!row) throw notFound();
  return row;
}

export function isFeed(projectId: string, feedId: string) {
  return and(eq(hl7Feed.projectId, projectId), eq(hl7Feed.id, feedId));
}
