import { resetByMail } from '#lib/domain/external/reset-by-mail.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { resetPasswordRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(resetPasswordRequest),
    run: async (ctx, { body }) => {
      await resetByMail(ctx, body);
      return fhir(allOk());
    },
  }),
});
