import { mailSignInLink } from '#lib/domain/sign-in-links/mail-sign-in-link.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { mailLinkRequest } from '#lib/protocol/sign-in/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(mailLinkRequest),
    run: async (ctx, { body }) => json(await mailSignInLink(ctx, body)),
  }),
});
