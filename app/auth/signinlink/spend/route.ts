import { spendSignInLink } from '#lib/domain/sign-in-links/spend-sign-in-link.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { deviceCookie, readDevice } from '#lib/http/door/device-cookie.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { spendLinkRequest } from '#lib/protocol/sign-in/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(spendLinkRequest),
    run: async (ctx, { body, request }) => {
      const { result, device } = await spendSignInLink(ctx, body, readDevice(request));
      return json(result, 200, deviceCookie(device));
    },
  }),
});
