import { and, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import type { BotRunDetail, LogLine } from '#lib/protocol/bots/bot-runs.ts';
import type { Ctx } from '../access/context.ts';
import { resolveNames } from '../audit/resolve-names.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { toRun } from './list-runs.ts';

/** One run with everything that the bot has logged. Throws 404. */
export async function readRun(ctx: Ctx, projectId: string, botId: string, runId: string): Promise<BotRunDetail> {
  await requireOwnBot(ctx, projectId, botId);
  if (!isUuid(runId)) throw notFound();
  const [row] = await db()
    .select()
    .from(botRun)
    .where(and(eq(botRun.projectId, projectId), eq(botRun.id, runId), eq(botRun.botId, botId)));
  if (!row) throw notFound();
  return { ...toRun(row, await resolveNames(projectId, [row.requester])), logs: (row.logs ?? []) as LogLine[] };
}
