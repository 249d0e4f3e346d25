import { exportAccount } from '#lib/domain/transfer/export-account.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

const headers = { 'content-disposition': 'attachment; filename="account.json"' };

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await exportAccount(ctx), 200, headers) }),
});
