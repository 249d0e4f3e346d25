import { disableOwnFactor } from '#lib/domain/sign-in/own-factors.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { disableFactorRequest } from '#lib/protocol/factors/requests.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(disableFactorRequest),
    run: async (ctx, { body }) => {
      await disableOwnFactor(ctx, body);
      return fhir(allOk());
    },
  }),
});
