import { findLaunchPatients } from '#lib/domain/launches/find-launch-patients.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { launchPatientsRequest } from '#lib/protocol/launch/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(launchPatientsRequest),
    run: async (ctx, { body }) => json(await findLaunchPatients(ctx, body)),
  }),
});
