import { findPatients } from '#lib/domain/authorize/find-patients.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { patientsRequest } from '#lib/protocol/launch/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(patientsRequest),
    run: async (ctx, { body }) => json(await findPatients(ctx, body)),
  }),
});
