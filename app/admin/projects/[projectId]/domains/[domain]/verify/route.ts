import { verifyDomain } from '#lib/domain/mail-domains/verify-domain.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    run: async (ctx, { params }, projectId) => json(await verifyDomain(ctx, projectId, params.domain!)),
  }),
});
