import { AppError } from '#lib/base/errors.ts';
import { finishExternal } from '#lib/domain/external/finish-external.ts';
import { startExternal, WAITING_SECONDS } from '#lib/domain/external/start-external.ts';
import { externalRequest } from '#lib/protocol/requests/authorization.ts';
import { toIssues } from '#lib/protocol/zod-issues.ts';
import { apiRoute } from '../door/api-route.ts';
import { redirect } from '../door/reply.ts';
import { cookieOf, readCookie, toCookie } from './waiting-cookie.ts';

/** To an identity provider, and back from there: that one is asked for `state` and answers with a code, or why not. */
export const externalSignIn = apiRoute({
  auth: 'none',
  errors: 'text',
  run: async (ctx, { request, url, params }) => {
    const query = url.searchParams;
    const ownClient = params.clientId?.toLowerCase();
    if (query.has('code') || query.has('error')) {
      const name = cookieOf(query.get('state') ?? '');
      const location = await finishExternal(ctx, query, { kept: readCookie(request, name), ownClient });
      return { ...redirect(location), headers: { location, 'set-cookie': toCookie(name, '', 0) } };
    }
    const { location, state, kept } = await startExternal(ctx, readAsked(query), ownClient);
    const cookie = toCookie(cookieOf(state), kept, WAITING_SECONDS);
    return { ...redirect(location), headers: { location, 'set-cookie': cookie } };
  },
});

/** The peer's sign-in page puts what it asks for into `state`, as JSON. */
function readAsked(query: URLSearchParams) {
  const { state, login_hint: loginHint, ...given } = Object.fromEntries(query);
  const parsed = externalRequest.safeParse({ ...given, ...toObject(state), ...(loginHint && { loginHint }) });
  if (parsed.success) return requireText(parsed.data);
  throw new AppError('invalid', 'Invalid request', { issues: toIssues(parsed.error) });
}

/** Bodies are looked at for this at the door; here all of it comes by the address, some of it in JSON. */
function requireText<T extends object>(asked: T): T {
  for (const [name, value] of Object.entries(asked)) {
    if (typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000'))) continue;
    throw new AppError('invalid', `${name} has a character that is not allowed`, { expression: name });
  }
  return asked;
}

function toObject(state: string | undefined): object {
  try {
    const value: unknown = JSON.parse(state ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
