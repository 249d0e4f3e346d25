import { AppError } from '#lib/base/errors.ts';
import type { Actor } from '../access/context.ts';
import { type LoadedBot, loadBot } from '../bots/load-bot.ts';
import type { Listened } from './listened.ts';

/** Nothing is acknowledged of which it is known that it cannot run: throws 400. What this asks is cached. */
export async function requireReady({ projectId, botId }: Listened): Promise<void> {
  const bot = await loadBot(projectId, botId);
  if (!bot || !readyActor(bot)) throw new AppError('invalid', 'The bot of this feed cannot run just now');
}

/** Under whom it runs: undefined while it is off, or says nothing to run, or its project may have no bots. */
export function readyActor({ actor, code }: LoadedBot): Actor | undefined {
  return code && actor?.features.includes('bots') ? actor : undefined;
}
