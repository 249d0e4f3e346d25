import { labelOwnMembership } from '#lib/domain/own-memberships/label-own-membership.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { labelRequest } from '#lib/protocol/membership-label.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: apiRoute({
    body: jsonBody(labelRequest),
    run: async (ctx, { params, body }) => json(await labelOwnMembership(ctx, params.membershipId!, body)),
  }),
});
