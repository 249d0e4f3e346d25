import { db } from '#lib/infra/db/client.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { findRun } from './find-run.ts';
import { toDetail } from './to-detail.ts';

/** One run with what went through it, without what identifies somebody. Throws 404, also for a run of another bot than `botId`. */
export async function readRun(ctx: Ctx, projectId: string, runId: string, botId?: string): Promise<BotRunDetail> {
  requireProjectAdmin(ctx, projectId);
  if (botId !== undefined) await requireOwnBot(ctx, projectId, botId);
  return toDetail(projectId, await findRun(db(), projectId, runId, botId), { isMasked: true });
}
