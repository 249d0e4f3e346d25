import { addSecret, listSecrets } from '#lib/domain/clients/named-secrets.ts';
import { adminRoute } from '#lib/http/door/admin-route.ts';
import { methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { newSecretRequest } from '#lib/protocol/requests/create-client.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: adminRoute({
    run: async (ctx, { params }, projectId) => json({ rows: await listSecrets(ctx, projectId, params.clientId!) }),
  }),
  POST: adminRoute({
    body: jsonBody(newSecretRequest),
    run: async (ctx, { params, body }, projectId) => json(await addSecret(ctx, projectId, params.clientId!, body), 201),
  }),
});
