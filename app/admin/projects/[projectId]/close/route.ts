import { closeProject } from '#lib/domain/projects/close-project.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { closeProjectRequest } from '#lib/protocol/requests/project-settings.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    body: jsonBody(closeProjectRequest),
    run: async (ctx, { body }, projectId) => json(await closeProject(ctx, projectId, body)),
  }),
});
