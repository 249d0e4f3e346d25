import { cancelOwnChange } from '#lib/domain/own-account/own-address.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  DELETE: apiRoute({
    run: async (ctx, { params }) => {
      await cancelOwnChange(ctx, params.changeId!);
      return fhir(allOk());
    },
  }),
});
