import { switchMembership } from '#lib/domain/sign-in/switch-membership.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { switchRequest } from '#lib/protocol/requests/switch-membership.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(switchRequest),
    run: async (ctx, { body }) => json(await switchMembership(ctx, body)),
  }),
});
