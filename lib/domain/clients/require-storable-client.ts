import { env } from '#lib/base/env.ts';
import { AppError, type Issue } from '#lib/base/errors.ts';
import type { ClientApplication } from '#lib/protocol/fhir/types.ts';

/**
 * Rules of a client beyond its structure, for every write of one: where a browser may be sent and its keys be fetched, and nothing secret in what can be read
 * back. Throws 400 with one issue each.
 */
export function requireStorableClient(client: ClientApplication): void {
  const listed = (client.redirectUris ?? []).map((uri, index): [string, string] => [`redirectUris[${index}]`, uri]);
  const uris: [string, string][] = client.redirectUri ? [['redirectUri', client.redirectUri], ...listed] : listed;
  const issues: Issue[] = uris.flatMap(([field, uri]) => {
    const text = redirectProblem(uri);
    return text ? [{ text, expression: `ClientApplication.${field}` }] : [];
  });
  for (const [index, origin] of (client.allowedOrigin ?? []).entries()) {
    if (origin === '*' || isOrigin(origin)) continue;
    issues.push({
      text: 'allowedOrigin must be an origin like https://app.example.com',
      expression: `ClientApplication.allowedOrigin[${index}]`,
    });
  }
  if (client.jwksUri !== undefined && !isFetchable(client.jwksUri)) {
    issues.push({ text: 'jwksUri must be an https address', expression: 'ClientApplication.jwksUri' });
  }
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

/** RFC 6749 §3.1.2: absolute, no fragment. Schemes that run code in the browser are refused; private-use ones (apps) are fine. */
const UNSAFE_SCHEME = /^(javascript|data|vbscript|blob|file|about):$/;

function redirectProblem(uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url) return 'A redirect URI must be absolute';
  if (UNSAFE_SCHEME.test(url.protocol)) return `A redirect URI cannot start with ${url.protocol}`;
  return uri.includes('#') ? 'A redirect URI cannot have a fragment' : undefined;
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isFetchable(uri: string): boolean {
  const protocol = URL.parse(uri)?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && env().FETCH_PRIVATE_ADDRESSES);
}
