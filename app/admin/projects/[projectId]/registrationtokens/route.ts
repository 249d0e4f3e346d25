import { addRegistrationToken, listRegistrationTokens } from '#lib/domain/client-registration/registration-tokens.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newRegistrationToken } from '#lib/protocol/clients/registration.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({ run: async (ctx, _, projectId) => json({ rows: await listRegistrationTokens(ctx, projectId) }) }),
  POST: adminRoute({
    body: jsonBody(newRegistrationToken),
    run: async (ctx, { body }, projectId) => json(await addRegistrationToken(ctx, projectId, body), 201),
  }),
});
