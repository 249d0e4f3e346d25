import { AppError } from '#lib/base/errors.ts';
import { loadBot } from '../bots/load-bot.ts';
import type { Listened } from './listened.ts';

/** Nothing is acknowledged of which it is known that it cannot run: throws 400. What this asks is cached. */
export async function requireReady({ projectId, botId }: Listened): Promise<void> {
  const bot = await loadBot(projectId, botId);
  if (!bot?.actor?.features.includes('bots') || !bot.code)
    throw new AppError('invalid', 'The bot of this feed cannot run just now');
}
