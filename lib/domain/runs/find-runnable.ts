import { type Ctx, requireActor } from '../access/context.ts';
import { requireBot } from '../bots/require-bot.ts';
import type { BotCode } from '../bots/to-bot-code.ts';
import type { Runnable } from './run-loaded-bot.ts';

/**
 * A bot that the caller can read, under its own membership, or under the caller's with runAsUser: its own must stand all the same, or a bot that was
 * shut out would go on as whoever calls it. `code`: of another version than the one that is live.
 */
export async function findRunnable(ctx: Ctx, botId: string, code?: BotCode): Promise<Runnable> {
  const caller = requireActor(ctx);
  const bot = await requireBot(ctx, botId, 'read');
  const actor = bot.resource.runAsUser && bot.actor ? caller : bot.actor;
  return { bot: code ? { ...bot, code } : bot, caller, actor };
}
