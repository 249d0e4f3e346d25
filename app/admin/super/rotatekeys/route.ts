import { requireSuperAdmin } from '#lib/domain/access/context.ts';
import { rotateSigningKey } from '#lib/domain/signing/rotate-signing-key.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { rotateKeysRequest } from '#lib/protocol/requests/rotate-keys.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: adminRoute({
    authorize: requireSuperAdmin,
    body: jsonBody(rotateKeysRequest),
    run: async (ctx, { body }) => json(await rotateSigningKey(ctx, body)),
  }),
});
