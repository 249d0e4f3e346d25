import { env } from '#lib/base/env.ts';
import { AppError, type Issue } from '#lib/base/errors.ts';
import type { IdentityProvider } from '#lib/protocol/fhir/types.ts';

const ADDRESSES = ['authorizeUrl', 'tokenUrl', 'userInfoUrl', 'jwksUrl', 'issuer'] as const;

/** Rules of an identity provider beyond its structure: where we ask it, and that it can be asked. Throws 400 with one issue each. `path`: of the element. */
export function requireProvider(provider: IdentityProvider | undefined, path: string): void {
  const issues = provider ? issuesOf(provider, path) : [];
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

function issuesOf(provider: IdentityProvider, path: string): Issue[] {
  const wrong = ADDRESSES.filter((name) => provider[name] !== undefined && !isAddress(provider[name])).map((name) => {
    return { text: `${name} must be an https address`, expression: `${path}.${name}` };
  });
  const { authorizeUrl, tokenUrl, userInfoUrl, clientId, issuer, jwksUrl, clientSecret } = provider;
  const asked = [authorizeUrl, tokenUrl, clientId];
  const isHalf = asked.some((value) => value !== undefined) && asked.some((value) => value === undefined);
  const missing = isHalf ? ['authorizeUrl, tokenUrl and clientId belong together'] : [];
  if (!userInfoUrl && !(issuer && authorizeUrl))
    missing.push('A provider needs a userInfoUrl, or an issuer that signs');
  if (jwksUrl && !issuer) missing.push('jwksUrl needs the issuer whose keys these are');
  if (clientSecret !== undefined && !tokenUrl) missing.push('clientSecret needs the tokenUrl that it is for');
  return [...wrong, ...missing.map((text) => ({ text, expression: path }))];
}

/** Where people are sent, or we ask. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && env().FETCH_PRIVATE_ADDRESSES);
}
