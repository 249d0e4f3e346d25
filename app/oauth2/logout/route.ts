import { endSession } from '#lib/domain/authorize/end-session.ts';
import { endCurrentLogin } from '#lib/domain/sessions/revoke-own-login.ts';
import { apiRoute, methods, type RouteHandler } from '#lib/http/door/api-route.ts';
import { authenticateBrowser, requireOwnPage } from '#lib/http/door/authenticate.ts';
import { mediaType } from '#lib/http/door/read-body.ts';
import { fhir, redirect } from '#lib/http/door/reply.ts';
import { browserForm } from '#lib/http/oauth/browser-form.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';

/** As the peer's clients sign out: with the token, or on a page of ours. */
const signOut = apiRoute({
  run: async (ctx, { request }) => {
    requireOwnPage(request);
    await endCurrentLogin(ctx);
    return fhir(allOk());
  },
});

/** As an app sends a browser here. */
const signOutByApp = apiRoute({
  auth: 'none',
  errors: 'text',
  run: async (ctx, { request, url }) => {
    ctx.actor = await authenticateBrowser(request);
    return redirect(await endSession(ctx, url.searchParams));
  },
});

/** A browser sends no session along with another site's form: it comes back by GET, and with it. */
const posted = apiRoute({
  auth: 'none',
  errors: 'text',
  body: browserForm,
  run: async (_, { body }) => redirect(`/oauth2/logout?${body}`),
});

const NAMES = ['id_token_hint', 'post_logout_redirect_uri', 'client_id', 'state'];

/** Which of the two it is: the token of a client says so by itself. */
const byEither: RouteHandler = (request, context) => {
  const { searchParams } = new URL(request.url);
  if (request.headers.has('authorization')) return signOut(request, context);
  if (request.method === 'POST' && mediaType(request) === 'application/x-www-form-urlencoded')
    return posted(request, context);
  // Whom a link brings here is asked, though it says nothing (RP-Initiated Logout 1.0 §2: every parameter may be missing).
  const isLink = request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';
  const isApps = isLink || NAMES.some((name) => searchParams.has(name));
  return (isApps ? signOutByApp : signOut)(request, context);
};

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({ GET: byEither, POST: byEither });
