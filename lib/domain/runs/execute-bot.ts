import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { requireBot } from '../bots/require-bot.ts';
import { type BotRequest, type Bridge, runLoadedBot } from './run-loaded-bot.ts';

/**
 * Runs a bot that the caller can read, under the bot's own membership (or the caller's, with runAsUser; its own must stand all
 * the same, or a bot that was shut out would go on as whoever calls it). What the bot does wrong is in
 * the result; throws 400, 403, 404 and 429 for what keeps it from running.
 */
export async function executeBot(ctx: Ctx, botId: string, input: BotRequest, bridge: Bridge): Promise<RunResult> {
  const caller = requireActor(ctx);
  const find = async () => {
    const bot = await requireBot(ctx, botId, 'read');
    return { bot, caller, actor: bot.resource.runAsUser && bot.actor ? caller : bot.actor };
  };
  return runLoadedBot(ctx, find, input, bridge);
}
