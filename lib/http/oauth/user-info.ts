import { AppError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/domain/access/context.ts';
import { readUserInfo } from '#lib/domain/authorize/read-user-info.ts';
import { verifyAccessToken } from '#lib/domain/oauth/verify-access-token.ts';
import { actorOfLogin } from '#lib/domain/sessions/actor-of-login.ts';
import { apiRoute } from '../door/api-route.ts';
import { authenticate } from '../door/authenticate.ts';
import { mediaType } from '../door/read-body.ts';
import { json } from '../door/reply.ts';
import { browserForm } from './browser-form.ts';

export const userInfo = apiRoute({ run: async (ctx) => json(await readUserInfo(ctx)) });

/** The token may come in a form, too (OpenID Connect Core §5.3.1, RFC 6750 §2.2); not in both ways at once. */
export const postedUserInfo = apiRoute({
  authenticate: byHeaderOrForm,
  run: async (ctx) => json(await readUserInfo(ctx)),
});

async function byHeaderOrForm(ctx: Ctx, request: Request): Promise<Actor> {
  const isForm = mediaType(request) === 'application/x-www-form-urlencoded';
  const given = isForm ? (await browserForm.read(request)).getAll('access_token') : [];
  const [token] = given;
  if (token === undefined) return authenticate(ctx, request);
  if (given.length > 1 || request.headers.has('authorization'))
    throw new AppError('invalid', 'The access token stands twice', { expression: 'access_token' });
  return actorOfLogin((await verifyAccessToken(token)).login);
}
