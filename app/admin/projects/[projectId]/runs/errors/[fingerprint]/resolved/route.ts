import { reopenFault, resolveFault } from '#lib/domain/run-log/resolve-fault.ts';
import { okReply } from '#lib/http/door/admin-reply.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PUT: adminRoute({
    run: async (ctx, { params }, projectId) => json(await resolveFault(ctx, projectId, params.fingerprint!)),
  }),
  DELETE: adminRoute({
    run: async (ctx, { params }, projectId) => {
      await reopenFault(ctx, projectId, params.fingerprint!);
      return okReply();
    },
  }),
});
