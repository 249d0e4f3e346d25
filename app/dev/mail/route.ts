import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { readDevMail } from '#lib/http/server/dev-mail.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ auth: 'none', run: async (ctx, { request }) => readDevMail(ctx, request) }),
});
