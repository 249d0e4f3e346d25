import { signingKeys } from '#lib/domain/signing/signing-keys.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: apiRoute({
    auth: 'none',
    run: async () =>
      json({ keys: (await signingKeys()).map((key) => key.publicJwk) }, 200, {
        'cache-control': 'public, max-age=300',
      }),
  }),
});
