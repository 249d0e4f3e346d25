import { changeFeed } from '#lib/domain/hl7-feeds/change-feed.ts';
import { readFeed } from '#lib/domain/hl7-feeds/list-feeds.ts';
import { removeFeed } from '#lib/domain/hl7-feeds/remove-feed.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { feedChange } from '#lib/protocol/hl7/feeds/feed-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json(await readFeed(ctx, projectId, params.feedId!)),
  }),
  PUT: adminRoute({
    body: jsonBody(feedChange),
    run: async (ctx, { params, body }, projectId) => json(await changeFeed(ctx, projectId, params.feedId!, body)),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await removeFeed(ctx, projectId, params.feedId!);
      return okReply();
    },
  }),
});
