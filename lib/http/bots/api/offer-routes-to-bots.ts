import { offerBotApi } from '#lib/domain/runs/bot-api.ts';
import { answerBot } from './answer-bot.ts';
import type { FindRoute } from './find-route.ts';

/** What the clients of bots ask for is answered by these routes: the same that answer any other caller. */
export function offerRoutesToBots(find: FindRoute): void {
  offerBotApi((ctx, request, note) => answerBot(find, ctx, request, note));
}
