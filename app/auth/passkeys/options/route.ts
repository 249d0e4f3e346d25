import { offerPasskey } from '#lib/domain/passkeys/offer-passkey.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { offerPasskeyRequest } from '#lib/protocol/passkeys/requests.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    body: jsonBody(offerPasskeyRequest),
    run: async (ctx, { body }) => json(await offerPasskey(ctx, body)),
  }),
});
