import { requireWebhook } from '#lib/domain/bots/require-webhook.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { runLoadedBot } from '#lib/domain/runs/run-loaded-bot.ts';
import { apiRoute } from '../door/api-route.ts';
import { readBotInput } from './input.ts';
import { toBotReply } from './reply.ts';

/** `/webhook/:membershipId`: a bot's own address for the world; input and answer as those of `$execute`. */
export const webhookRoute = apiRoute({
  auth: 'none',
  run: async (ctx, { request, url, params }) => {
    const { bot, actor } = await requireWebhook(ctx, params.membershipId!);
    const { mediaType, ...input } = await readBotInput(request, url, 'id');
    const as = { caller: actor, actor };
    return toBotReply(await runLoadedBot(ctx, bot, as, { ...input, trigger: 'webhook' }, botBridge), mediaType);
  },
});
