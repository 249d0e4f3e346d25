import type { Ctx } from '../access/context.ts';
import { findBotByIdentifier } from '../bots/find-bot-by-identifier.ts';
import { botOf, type Feed } from '../store/feeds/read-subscription.ts';

/** The bot that a subscription runs, undefined for an address. By an identifier the one that has it now: throws as `findBotByIdentifier` does. */
export async function findToldBot(ctx: Ctx, feed: Feed): Promise<string | undefined> {
  const named = botOf(feed);
  if (!named) return undefined;
  return 'id' in named ? named.id : findBotByIdentifier(ctx, named.identifier);
}
