import { breakTheGlass } from '#lib/domain/break-glass/break-the-glass.ts';
import { listOwnGrants } from '#lib/domain/break-glass/list-grants.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { readQuery } from '#lib/http/door/read-query.ts';
import { json } from '#lib/http/door/reply.ts';
import { breakGlassRequest, ownGrantsQuery } from '#lib/protocol/break-glass/requests.ts';

/** One’s own emergency access. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx, { url }) => json(await listOwnGrants(ctx, readQuery(url, ownGrantsQuery))),
  }),
  POST: apiRoute({
    body: jsonBody(breakGlassRequest),
    run: async (ctx, { body }) => json(await breakTheGlass(ctx, body), 201),
  }),
});
