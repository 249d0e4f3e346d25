import { changePassword } from '#lib/domain/accounts/change-password.ts';
import { apiRoute, methods } from '#lib/http/api-route.ts';
import { jsonBody } from '#lib/http/read-body.ts';
import { fhir } from '#lib/http/reply.ts';
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
