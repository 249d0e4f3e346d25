import type { LoadedBot } from '#lib/domain/bots/load-bot.ts';
import { requireWebhook, throttleWebhook } from '#lib/domain/bots/require-webhook.ts';
import { unsigned, verifyWebhook } from '#lib/domain/bots/verify-webhook.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { runLoadedBot } from '#lib/domain/runs/run-loaded-bot.ts';
import { readWebhookSignature } from '#lib/protocol/bots/webhook-signature.ts';
import { apiRoute } from '../door/api-route.ts';
import { leavePlaces } from '../door/large-bodies.ts';
import { contentLimit, readBytes } from '../door/read-body.ts';
import { readBotInput } from './input.ts';
import { toBotReply } from './reply.ts';

/** The same request, once its bytes are known to be of who signs for this bot. */
async function readSigned(bot: LoadedBot, request: Request): Promise<Request> {
  const { method, headers } = request;
  // What a bot is given of a GET is its query, and that nobody signs.
  if (method === 'GET' || method === 'HEAD') throw unsigned();
  const body = await readBytes(request, contentLimit());
  verifyWebhook(bot, { headers, body });
  const rest = new Headers(headers);
  // It was unpacked as it was read.
  rest.delete('content-encoding');
  rest.delete('content-length');
  return new Request(request.url, { method, headers: rest, body: new Uint8Array(body) });
}

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
    const { bot } = await find();
    const signed = readWebhookSignature(bot.resource) ? await readSigned(bot, request) : request;
    const { mediaType, ...input } = await readBotInput(signed, url, 'id').finally(() => leavePlaces(request));
    return toBotReply(await runLoadedBot(ctx, find, { ...input, trigger: 'webhook' }, botBridge), mediaType);
  },
});
