import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';

/** A bot of the project in the path, for its administrators. Throws 403, 404 and, for a deleted one, 410. */
export async function requireOwnBot(ctx: Ctx, projectId: string, botId: string): Promise<Row> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(botId)) throw notFound();
  return requireLive(await findRow(projectId, 'Bot', botId));
}
