import { previewPromotion } from '#lib/domain/rehearsals/promote/preview-promotion.ts';
import { promoteBot } from '#lib/domain/rehearsals/promote/promote-bot.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { PROMOTION_BODY_LIMIT, promoteRequest, promotionQuery } from '#lib/protocol/bots/promote.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) =>
      json(await previewPromotion(ctx, projectId, params.botId!, readQuery(url, promotionQuery))),
  }),
  POST: adminRoute({
    body: jsonBody(promoteRequest, undefined, PROMOTION_BODY_LIMIT),
    run: async (ctx, { params, body }, projectId) =>
      json(await promoteBot(ctx, projectId, params.botId!, body, botBridge)),
  }),
});
