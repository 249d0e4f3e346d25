import { createHash } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { finishSaml } from '#lib/domain/external/finish-saml.ts';
import { notAwaited } from '#lib/domain/external/take-waiting.ts';
import { serviceMetadata } from '#lib/domain/providers/service-provider.ts';
import { apiRoute } from '../door/api-route.ts';
import { type BodyReader, readForm } from '../door/read-body.ts';
import { type Reply, redirect } from '../door/reply.ts';
import { cookieOf, readCookie, toCookie } from './waiting-cookie.ts';

/** A Response has some 10 kB, and as much again for whoever is in hundreds of groups. */
const MOST_BYTES = 256 * 1024;

const answerForm: BodyReader<URLSearchParams> = { read: (request) => readForm(request, MOST_BYTES) };

/**
 * The assertion consumer service: where a SAML provider has the browser post its answer (SAML Bindings §3.5). A form of another site brings no Lax cookie
 * along, so nothing is read of the answer yet: it is handed back in a form of our own, which sends it again from our site, with the cookie by
 * which this browser is known as the one that asked. A cookie for every site (SameSite=None) would need https, also where a
 * developer has none, and would come along with what any site posts.
 */
export const samlAnswer = apiRoute({
  auth: 'none',
  errors: 'text',
  body: answerForm,
  run: async (ctx, { request, body, params }) => {
    const [samlResponse, relayState] = [only(body, 'SAMLResponse'), only(body, 'RelayState')];
    // A handle of ours, and the letters of base64: nothing else is ever written into a page.
    if (!/^[\w-]{43}$/.test(relayState) || !/^[A-Za-z0-9+/=\s]+$/.test(samlResponse)) throw notAwaited();
    const name = cookieOf(relayState);
    const kept = readCookie(request, name);
    if (kept === undefined && !body.has('again')) return toOurselves(samlResponse, relayState);
    const projectId = (params.projectId ?? '').toLowerCase();
    const location = await finishSaml(ctx, { samlResponse, relayState }, { kept, projectId });
    return { ...redirect(location), headers: { location, 'set-cookie': toCookie(name, '', 0) } };
  },
});

/** What the provider is told of us. It is as open as what it says. */
export const samlMetadata = apiRoute({
  auth: 'none',
  run: async (_, { params }) => {
    const projectId = params.projectId ?? '';
    if (!isUuid(projectId)) throw new AppError('not-found', 'Not found');
    return { status: 200, body: await serviceMetadata(projectId), contentType: 'application/samlmetadata+xml' };
  },
});

function only(form: URLSearchParams, name: string): string {
  const [value = '', second] = form.getAll(name);
  if (second !== undefined) throw notAwaited();
  return value;
}

const SCRIPT = 'document.forms[0].submit()';
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** Where the form goes is not bound by the policy: browsers hold also what it is redirected to against that, which may be an app's address. */
const POLICY = `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; base-uri 'none'; frame-ancestors 'none'`;

function toOurselves(samlResponse: string, relayState: string): Reply {
  const body = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Signing you in</title></head>
<body>
<main><h1>Signing you in</h1>
<form method="post">
<input type="hidden" name="SAMLResponse" value="${samlResponse}">
<input type="hidden" name="RelayState" value="${relayState}">
<input type="hidden" name="again" value="1">
<button>Continue</button>
</form></main>
<script>${SCRIPT}</script>
</body>
</html>
`;
  const headers = { 'content-security-policy': POLICY, 'x-frame-options': 'DENY' };
  return { status: 200, body, contentType: 'text/html; charset=utf-8', headers };
}
