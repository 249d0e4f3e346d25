import { auditKeys } from '#lib/domain/audit-proof/audit-keys.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    run: async () => json(await auditKeys(), 200, { 'cache-control': 'public, max-age=300' }),
  }),
});
