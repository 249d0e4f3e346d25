import { setClientStatus } from '#lib/domain/clients/set-client-status.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => {
      const { id } = await setClientStatus(ctx, projectId, params.clientId!, 'active');
      return json({ id, status: 'active' });
    },
  }),
});
