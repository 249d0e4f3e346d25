import { requireWebhook, throttleWebhook } from '#lib/domain/bots/require-webhook.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { runLoadedBot } from '#lib/domain/runs/run-loaded-bot.ts';
import { apiRoute } from '../door/api-route.ts';
import { readBotInput } from './input.ts';
import { toBotReply } from './reply.ts';

/** `/webhook/:membershipId`: a bot's own address for the world; input and answer as those of `$execute`. */
export const webhookRoute = apiRoute({
  auth: 'none',
  run: async (ctx, { request, url, params }) => {
    await throttleWebhook(ctx);
    const find = async () => {
      const { bot, actor } = await requireWebhook(params.membershipId!);
      return { bot, caller: actor, actor };
    };
    // Nobody's body is read before they may send one.
    await find();
    const { mediaType, ...input } = await readBotInput(request, url, 'id');
    return toBotReply(await runLoadedBot(ctx, find, { ...input, trigger: 'webhook' }, botBridge), mediaType);
  },
});
