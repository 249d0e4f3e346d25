import { changePassword } from '#lib/domain/accounts/change-password.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { changePasswordRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(changePasswordRequest),
    run: async (ctx, { body }) => {
      await changePassword(ctx, body);
      return fhir(allOk());
    },
  }),
});
