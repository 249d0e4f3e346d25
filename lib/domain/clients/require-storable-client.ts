import { env } from '#lib/base/env.ts';
import { AppError, type Issue } from '#lib/base/errors.ts';
import { GRANTS, scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { SCOPE } from '#lib/protocol/requests/auth.ts';
import { isAddress, MOST_ADDRESSES } from '#lib/protocol/sign-in/bounds.ts';

/** As long as a request's may be. */
const MOST_SCOPE = 4000;

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
  issues.push(...listIssues(client));
  if (client.jwksUri !== undefined && !isFetchable(client.jwksUri)) {
    issues.push({ text: 'jwksUri must be an https address', expression: 'ClientApplication.jwksUri' });
  }
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

/** Of what limits a client nothing is taken that could not be honoured: a limit that does not limit would be believed. */
function listIssues(client: ClientApplication): Issue[] {
  const issues: Issue[] = [];
  const each = (name: ListName, isRight: (item: string) => boolean, text: string) => {
    for (const [index, item] of (client[name] ?? []).entries())
      if (!isRight(item)) issues.push({ text: `${name} ${text}`, expression: `ClientApplication.${name}[${index}]` });
  };
  each('grantType', (item) => (GRANTS as readonly string[]).includes(item), `is one of ${GRANTS.join(', ')}`);
  each('responseType', (item) => item === 'code', 'is code: there is no other here');
  each('allowedAddress', isAddress, 'must be an IP address or a network like 203.0.113.0/24 or 2001:db8::/32');
  for (const name of ['defaultScope', 'allowedScope'] as const) {
    each(name, (item) => SCOPE.test(item) && item !== '' && !item.includes(' '), 'must be a scope without spaces');
    if ((client[name]?.join(' ').length ?? 0) > MOST_SCOPE)
      issues.push({ text: `${name} is too long`, expression: `ClientApplication.${name}` });
  }
  if ((client.allowedAddress?.length ?? 0) > MOST_ADDRESSES)
    issues.push({ text: `At most ${MOST_ADDRESSES} addresses`, expression: 'ClientApplication.allowedAddress' });
  const [beyond] = scopesBeyond(client.allowedScope, client.defaultScope?.join(' ') ?? '');
  if (beyond !== undefined)
    issues.push({ text: `${beyond} is not among allowedScope`, expression: 'ClientApplication.defaultScope' });
  if (client.tokenEndpointAuthMethod === 'private_key_jwt' && client.jwksUri === undefined)
    issues.push({ text: 'private_key_jwt needs a jwksUri', expression: 'ClientApplication.tokenEndpointAuthMethod' });
  return issues;
}

type ListName = 'grantType' | 'responseType' | 'allowedAddress' | 'defaultScope' | 'allowedScope';

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
