import { offerPasskeyLogin } from '#lib/domain/sign-in/offer-passkey-login.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { json } from '#lib/http/door/reply.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({ auth: 'none', run: async (ctx) => json(await offerPasskeyLogin(ctx)) }),
});
