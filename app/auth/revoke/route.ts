import { revokeOwnLogin } from '#lib/domain/sessions/revoke-own-login.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { revokeRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(revokeRequest),
    run: async (ctx, { body }) => {
      await revokeOwnLogin(ctx, body.loginId);
      return fhir(allOk());
    },
  }),
});
