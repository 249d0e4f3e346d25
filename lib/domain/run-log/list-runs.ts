import { db } from '#lib/infra/db/client.ts';
import type { BotRunPage } from '#lib/protocol/bots/runs/bot-runs.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { RunsQuery } from '#lib/protocol/requests/bot-console.ts';
import type { Ctx } from '../access/context.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { findRuns } from './find-runs.ts';
import { namesOf, toRun } from './run-rows.ts';

/** Newest first; `next` is the cursor of the page after this one. Throws what `requireOwnBot` throws. */
export async function listRuns(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { _count: count, ...filter }: RunsQuery,
): Promise<BotRunPage> {
  await requireOwnBot(ctx, projectId, botId);
  const { rows, last } = await findRuns(db(), projectId, { ...filter, bot: botId }, count);
  const names = await namesOf(projectId, rows);
  return { rows: rows.map((row) => toRun(row, names)), next: last ? formatCursor(last) : null };
}
