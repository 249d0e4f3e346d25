import { sql } from 'drizzle-orm';
import { apiRoute, methods } from '#lib/http/api-route.ts';
import { json } from '#lib/http/reply.ts';
import { db } from '#lib/infra/db/client.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    async run() {
      await db().execute(sql`select 1`);
      return json({ ok: true });
    },
  }),
});
