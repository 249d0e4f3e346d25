import { listOwnViews } from '#lib/domain/view-as/list-own-views.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { ownViewsQuery } from '#lib/protocol/view-as/view-as.ts';

/** Who looked with one’s own eyes, when and why. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx, { url }) => json(await listOwnViews(ctx, readQuery(url, ownViewsQuery))),
  }),
});
