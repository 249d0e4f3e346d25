import { readMessage } from '#lib/domain/hl7-feeds/list-messages.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) =>
      json(await readMessage(ctx, projectId, params.feedId!, params.messageId!)),
  }),
});
