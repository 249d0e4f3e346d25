import { startLaunch } from '#lib/domain/launches/start-launch.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { launchRequest } from '#lib/protocol/launch/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(launchRequest),
    run: async (ctx, { body }) => json(await startLaunch(ctx, body), 201),
  }),
});
