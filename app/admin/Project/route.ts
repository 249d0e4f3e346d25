import { createProject, requireCreator } from '#lib/domain/projects/create-project.ts';
import { createdReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { createProjectRequest } from '#lib/protocol/requests/create-project.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    authorize: requireCreator,
    body: jsonBody(createProjectRequest, 'Project'),
    run: async (ctx, { body, extended }) => createdReply(await createProject(ctx, body), extended),
  }),
});
