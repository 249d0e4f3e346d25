import { env } from '#lib/base/env.ts';
import { AppError, type Issue } from '#lib/base/errors.ts';
import type { IdentityProvider } from '#lib/protocol/fhir/client-types.ts';

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
  missing.push(...strengthFaults(provider));
  return [...wrong, ...missing.map((text) => ({ text, expression: path }))];
}

/** Where people are sent, or we ask. */
export function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password || url.hash) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && env().FETCH_PRIVATE_ADDRESSES);
}

const MOST_WORDS = 20;
const MOST_AGE_SECONDS = 90 * 86_400;

/** Of what is asked and believed of how somebody signs in there: only what is signed is believed. */
function strengthFaults({ issuer, acrValues, maxAge, mfaAcr, mfaAmr }: IdentityProvider): string[] {
  const named = Object.entries({ acrValues, maxAge, mfaAcr, mfaAmr }).filter(([, value]) => value !== undefined);
  const faults = issuer ? [] : named.map(([name]) => `${name} needs the issuer that signs how somebody has signed in`);
  const lists = Object.entries({ acrValues: acrValues?.split(' '), mfaAcr, mfaAmr });
  for (const [name, words = []] of lists) {
    if (words.length > MOST_WORDS || words.some((word) => !/^[\x21-\x7e]{1,255}$/.test(word)))
      faults.push(`${name} takes at most ${MOST_WORDS} words, of letters, digits and signs without spaces`);
  }
  if (maxAge !== undefined && maxAge > MOST_AGE_SECONDS) faults.push(`maxAge is at most ${MOST_AGE_SECONDS} seconds`);
  return faults;
}
