import { addFeed } from '#lib/domain/hl7-feeds/add-feed.ts';
import { listFeeds } from '#lib/domain/hl7-feeds/list-feeds.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { feedRequest } from '#lib/protocol/hl7/feeds/feed-requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, _, projectId) => json(await listFeeds(ctx, projectId)),
  }),
  POST: adminRoute({
    body: jsonBody(feedRequest),
    run: async (ctx, { body }, projectId) => json(await addFeed(ctx, projectId, body), 201),
  }),
});
