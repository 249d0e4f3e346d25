import { setPassword } from '#lib/domain/sign-in/set-password.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { deviceCookie, readDevice } from '#lib/http/door/device-cookie.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { setPasswordRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(setPasswordRequest),
    run: async (ctx, { body, request }) => {
      const device = await setPassword(ctx, body, readDevice(request));
      return fhir(allOk(), 200, deviceCookie(device));
    },
  }),
});
