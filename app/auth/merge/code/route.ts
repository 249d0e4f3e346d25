import { mailMergeCode } from '#lib/domain/account-merge/show-second-step.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { mergeHandleRequest } from '#lib/protocol/account-merge/requests.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(mergeHandleRequest),
    run: async (ctx, { body }) => {
      await mailMergeCode(ctx, body);
      return fhir(allOk());
    },
  }),
});
