import { mailSignInCode } from '#lib/domain/sign-in/verify-factor.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { mailSignInCodeRequest } from '#lib/protocol/factors/requests.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(mailSignInCodeRequest),
    run: async (ctx, { body }) => {
      await mailSignInCode(ctx, body.login);
      return fhir(allOk());
    },
  }),
});
