import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Ctx } from '../access/context.ts';
import type { BotRequest } from './bot-request.ts';
import { findRunnable } from './find-runnable.ts';
import { type Bridge, runLoadedBot } from './run-loaded-bot.ts';

/** Runs a bot as `findRunnable` has it. What the bot does wrong is in the result; throws 400, 403, 404 and 429 for what keeps it from running. */
export async function executeBot(ctx: Ctx, botId: string, input: BotRequest, bridge: Bridge): Promise<RunResult> {
  return runLoadedBot(ctx, (now) => findRunnable(now, botId), input, bridge);
}
