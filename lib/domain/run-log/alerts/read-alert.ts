import { db } from '#lib/infra/db/client.ts';
import type { BotAlert } from '#lib/protocol/bots/alert.ts';
import type { Ctx } from '../../access/context.ts';
import { requireOwnBot } from '../../bots/require-own-bot.ts';
import { findAlert } from './alert-rows.ts';

/** When administrators are told of this bot. Throws what `requireOwnBot` throws. */
export async function readAlert(ctx: Ctx, projectId: string, botId: string): Promise<BotAlert> {
  await requireOwnBot(ctx, projectId, botId);
  return findAlert(db(), projectId, botId);
}
