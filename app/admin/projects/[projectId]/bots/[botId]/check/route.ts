import { checkDraft } from '#lib/domain/rehearsals/check-draft.ts';
import { botBridge } from '#lib/domain/rest/bot-bridge.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { endWork } from '#lib/http/door/large-bodies.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { checkRequest } from '#lib/protocol/requests/bot-console.ts';

/** As a deploy of it. */
const CHECK_BODY_LIMIT = 12 * 1024 * 1024;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(checkRequest, undefined, CHECK_BODY_LIMIT),
    run: async (ctx, { request, params, body }, projectId) => {
      endWork(request);
      return json(await checkDraft(ctx, projectId, params.botId!, body, botBridge));
    },
  }),
});
