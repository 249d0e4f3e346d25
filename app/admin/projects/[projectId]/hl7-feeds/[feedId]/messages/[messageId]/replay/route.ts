import { replayMessage } from '#lib/domain/hl7-feeds/replay-messages.ts';
import { acceptedReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await replayMessage(ctx, projectId, params.feedId!, params.messageId!);
      return acceptedReply('The message runs again');
    },
  }),
});
