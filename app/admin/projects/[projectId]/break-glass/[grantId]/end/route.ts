import { endGrant } from '#lib/domain/break-glass/end-grant.ts';
import { readGrant } from '#lib/domain/break-glass/read-grant.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await endGrant(ctx, projectId, params.grantId!);
      return json(await readGrant(ctx, projectId, params.grantId!));
    },
  }),
});
