import { chooseProfile } from '#lib/domain/sign-in/choose-profile.ts';
import { apiRoute, methods } from '#lib/http/door/api-route.ts';
import { jsonBody } from '#lib/http/door/read-body.ts';
import { json } from '#lib/http/door/reply.ts';
import { chooseProfileRequest } from '#lib/protocol/requests/auth.ts';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: apiRoute({
    auth: 'none',
    body: jsonBody(chooseProfileRequest),
    run: async (ctx, { body }) => json(await chooseProfile(ctx, body.login, body.profile)),
  }),
});
