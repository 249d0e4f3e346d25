import { beginMerge } from '#lib/domain/account-merge/begin-merge.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { deviceCookie, readDevice } from '#lib/http/door/device-cookie.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { mergeRequest } from '#lib/protocol/account-merge/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(mergeRequest),
    run: async (ctx, { body, request }) => {
      const { result, device } = await beginMerge(ctx, body, readDevice(request));
      return json(result, 200, deviceCookie(device));
    },
  }),
});
