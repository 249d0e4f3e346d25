import { endOwnGrant } from '#lib/domain/break-glass/end-grant.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    run: async (ctx, { params }) => json(await endOwnGrant(ctx, params.grantId!)),
  }),
});
