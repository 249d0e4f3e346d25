import { AppError, notFound } from '#lib/base/errors.ts';
import { extract } from '#lib/protocol/fhir/extract.ts';
import { evaluate } from '#lib/protocol/fhir/search-ir.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { type Interaction, reach } from '../access/policy.ts';
import { toResource } from '../store/row.ts';
import { type LoadedBot, loadBot } from './load-bot.ts';

/** A bot of the caller's project in reach of this interaction: 403 when no rule speaks of bots, 404 when it is not there for them. */
export async function requireBot(ctx: Ctx, botId: string, interaction: Interaction): Promise<LoadedBot> {
  const actor = requireActor(ctx);
  const readable = reach(actor, 'Bot', 'read');
  const bot = await loadBot(actor.projectId, botId);
  if (!bot || !isWithin(actor, bot, readable)) throw notFound();
  if (!isWithin(actor, bot, reach(actor, 'Bot', interaction))) throw new AppError('forbidden', 'Forbidden');
  return bot;
}

export function requireBotsFeature(actor: Actor): void {
  if (!actor.features.includes('bots')) throw new AppError('invalid', 'Bots are not enabled in this project');
}

function isWithin(actor: Actor, bot: LoadedBot, expr: ReturnType<typeof reach>): boolean {
  if (expr.op === 'all') return true;
  const { id, lastUpdated } = bot.row;
  return evaluate(expr, extract(actor.projectId, toResource(bot.row)), { id, lastUpdated });
}
