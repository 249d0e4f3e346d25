import { withdrawConsent } from '#lib/domain/authorize/withdraw-consent.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: apiRoute({
    run: async (ctx, { params }) => {
      await withdrawConsent(ctx, params.clientId ?? '');
      return fhir(allOk());
    },
  }),
});
