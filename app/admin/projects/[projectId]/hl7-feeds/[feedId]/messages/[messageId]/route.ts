import { readMaskedMessage, readMessage } from '#lib/domain/hl7-feeds/list-messages.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { messageQuery } from '#lib/protocol/hl7/feeds/feed-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params, url }, projectId) => {
      const { masked } = readQuery(url, messageQuery);
      const read = masked === 'true' ? readMaskedMessage : readMessage;
      return json(await read(ctx, projectId, params.feedId!, params.messageId!));
    },
  }),
});
