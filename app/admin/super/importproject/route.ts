import { requireSuperAdmin } from '#lib/domain/access/context.ts';
import { importProject } from '#lib/domain/transfer/import-project.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';
import { streamBody } from '#lib/http/door/stream-body.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    authorize: requireSuperAdmin,
    body: streamBody('application/x-ndjson'),
    run: async (ctx, { body }) => json(await importProject(ctx, body), 201),
  }),
});
