import { readMe } from '#lib/domain/sessions/read-me.ts';
import { apiRoute, methods } from '#lib/http/api-route.ts';
import { json } from '#lib/http/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    run: async (ctx) => json(await readMe(ctx)),
  }),
});
