import { registerUser } from '#lib/domain/registration/register-user.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { deviceCookie, readDevice } from '#lib/http/door/device-cookie.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newUserRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(newUserRequest),
    run: async (ctx, { body, request }) => {
      const { result, device } = await registerUser(ctx, body, readDevice(request));
      return json(result, 200, deviceCookie(device));
    },
  }),
});
