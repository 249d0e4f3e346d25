import { AppError, notFound } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import type { Interaction } from '../access/rule.ts';
import { isWithin } from '../store/within-reach.ts';
import { type LoadedBot, loadBot } from './load-bot.ts';

/** A bot of the caller's project in reach of this interaction: 403 when no rule speaks of bots, 404 when it is not there for them. */
export async function requireBot(ctx: Ctx, botId: string, interaction: Interaction): Promise<LoadedBot> {
  const actor = requireActor(ctx);
  const readable = reach(actor, 'Bot', 'read');
  const bot = await loadBot(actor.projectId, botId);
  if (!bot || !(await isWithin(readable, bot.row))) throw notFound();
  if (!(await isWithin(reach(actor, 'Bot', interaction), bot.row))) throw new AppError('forbidden', 'Forbidden');
  return bot;
}

export function requireBotsFeature(actor: Actor): void {
  if (!actor.features.includes('bots')) throw new AppError('invalid', 'Bots are not enabled in this project');
}
