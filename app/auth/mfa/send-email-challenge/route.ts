import { mailOwnCode } from '#lib/domain/sign-in/own-factors.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    run: async (ctx) => {
      await mailOwnCode(ctx);
      return fhir(allOk());
    },
  }),
});
