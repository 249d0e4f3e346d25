import { offerBotApi } from '#lib/domain/rest/bot-api.ts';
import type { RouteHandler } from '../../door/api-route.ts';
import { answerBot } from './answer-bot.ts';

export type FoundRoute = {
  handlers: Record<string, RouteHandler>;
  params: Record<string, string | string[] | undefined>;
};
export type FindRoute = (path: string) => FoundRoute | undefined;

/** What the clients of bots ask for is answered by these routes: the same that answer any other caller. */
export function offerRoutesToBots(find: FindRoute): void {
  offerBotApi((ctx, request, note) => answerBot(find, ctx, request, note));
}
