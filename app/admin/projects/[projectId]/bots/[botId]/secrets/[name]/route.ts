import { deleteBotSecret } from '#lib/domain/bots/secrets/delete-bot-secret.ts';
import { putBotSecret } from '#lib/domain/bots/secrets/put-bot-secret.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { secretValueRequest } from '#lib/protocol/requests/project-settings.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: adminRoute({
    body: jsonBody(secretValueRequest),
    run: async (ctx, { params, body }, projectId) => {
      await putBotSecret(ctx, projectId, params.botId!, { name: params.name!, ...body });
      return okReply();
    },
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await deleteBotSecret(ctx, projectId, params.botId!, params.name!);
      return okReply();
    },
  }),
});
