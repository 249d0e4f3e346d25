import { startProject } from '#lib/domain/registration/start-project.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newProjectRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(newProjectRequest),
    run: async (ctx, { body }) => json(await startProject(ctx, body)),
  }),
});
