import { always } from '#lib/domain/sessions/acting/in-view.ts';
import { readMe } from '#lib/domain/sessions/read-me.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    inView: always,
    run: async (ctx) => json(await readMe(ctx)),
  }),
});
