import { readProject } from '#lib/domain/projects/read-project.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { url }, projectId) =>
      json(await readProject(ctx, projectId, { reveal: url.searchParams.get('reveal') === 'true' })),
  }),
});
