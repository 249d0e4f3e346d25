import { addPasskey } from '#lib/domain/passkeys/add-passkey.ts';
import { listPasskeys } from '#lib/domain/passkeys/list-passkeys.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { addPasskeyRequest } from '#lib/protocol/passkeys/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({ run: async (ctx) => json(await listPasskeys(ctx)) }),
  POST: apiRoute({
    body: jsonBody(addPasskeyRequest),
    run: async (ctx, { body }) => json(await addPasskey(ctx, body), 201),
  }),
});
