import { createHash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/domain/access/context.ts';
import { requireWebhook, throttleWebhook, type Webhook } from '#lib/domain/bots/require-webhook.ts';
import { type DeliveryName, unsigned, verifyWebhook } from '#lib/domain/bots/verify-webhook.ts';
import type { NamedRequest } from '#lib/domain/idempotency/kept-answers.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { runLoadedBot } from '#lib/domain/runs/run-loaded-bot.ts';
import { readWebhookSignature } from '#lib/protocol/bots/webhook-signature.ts';
import { apiRoute } from '../door/api-route.ts';
import { onceNamed } from '../door/idempotency.ts';
import { leavePlaces, sentTo } from '../door/large-bodies.ts';
import { contentLimit, readBytes } from '../door/read-body.ts';
import { readBotInput } from './input.ts';
import { toBotReply } from './reply.ts';

type Sent = { request: Request; delivery?: DeliveryName };

/** The same request, once its bytes are known to be of who signs for this bot. */
async function readSigned(ctx: Ctx, { bot, actor }: Webhook, request: Request): Promise<Sent> {
  const { method, headers } = request;
  const { membershipId } = actor;
  const forged = async (error: unknown) => {
    if (error instanceof AppError) await throttleWebhook(ctx, { membershipId, as: 'forged' });
    throw error;
  };
  const { body, delivery } = await readVerified(bot, request).catch(forged);
  await throttleWebhook(ctx, { membershipId, as: 'signed' });
  const rest = new Headers(headers);
  rest.delete('content-length');
  const signed = new Request(request.url, { method, headers: rest, body: new Uint8Array(body) });
  // It is read once more, in a place of its own.
  leavePlaces(request);
  sentTo(signed, actor.projectId);
  return { request: signed, delivery };
}

async function readVerified(bot: Webhook['bot'], request: Request) {
  // What a bot is given of a GET is its query, and that nobody signs.
  if (request.method === 'GET' || request.method === 'HEAD') throw unsigned();
  const body = await readBytes(request, contentLimit());
  return { body, delivery: verifyWebhook(bot, { headers: request.headers, body }) };
}

/** No Idempotency-Key of the membership's own has a space. */
function toNamed({ projectId, membershipId }: Actor, { name, keptMs }: DeliveryName): NamedRequest {
  const key = `webhook ${createHash('sha256').update(name).digest('hex')}`;
  return { projectId, membershipId, key, content: name, keptMs };
}

/** `/webhook/:membershipId`: a bot's own address for the world; input and answer as those of `$execute`. What is signed and comes again is answered as it was. */
export const webhookRoute = apiRoute({
  auth: 'none',
  run: async (ctx, { request, url, params }) => {
    const find = async () => {
      const { bot, actor } = await requireWebhook(params.membershipId!);
      return { bot, caller: actor, actor };
    };
    // Nobody's body is read before they may send one.
    const webhook = await find().catch(async (error: unknown) => {
      if (error instanceof AppError) await throttleWebhook(ctx, 'nobody');
      throw error;
    });
    const { bot, actor } = webhook;
    const { membershipId } = actor;
    sentTo(request, actor.projectId);
    const isSigned = readWebhookSignature(bot.resource) !== undefined;
    if (!isSigned) await throttleWebhook(ctx, { membershipId, as: 'open' });
    const { request: sent, delivery }: Sent = isSigned ? await readSigned(ctx, webhook, request) : { request };
    const { mediaType, ...input } = await readBotInput(sent, url, 'id').finally(() => leavePlaces(sent));
    return onceNamed(delivery && toNamed(actor, delivery), async () =>
      toBotReply(await runLoadedBot(ctx, find, { ...input, trigger: 'webhook' }, botBridge), mediaType),
    );
  },
});
