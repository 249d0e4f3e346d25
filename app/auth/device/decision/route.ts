import { decideDevice } from '#lib/domain/grants/answer-device.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { fhir } from '#lib/http/door/reply.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { deviceDecision } from '#lib/protocol/requests/authorization.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(deviceDecision),
    run: async (ctx, { body }) => {
      await decideDevice(ctx, body);
      return fhir(allOk());
    },
  }),
});
