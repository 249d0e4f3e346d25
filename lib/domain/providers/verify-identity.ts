import { decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { log } from '#lib/base/log.ts';
import { clientKeys } from '../clients/client-keys.ts';
import { ASSERTION_ALGORITHMS } from '../clients/prove-assertion.ts';
import { findKeysUri, readUserInfo, refused } from './ask-provider.ts';
import type { Provider } from './provider.ts';
import { isYoungEnough, readStrength, type ToldStrength } from './told-strength.ts';

/** What we take of what a provider says: its own name for somebody, an address that it has proven, and what they are called, if it says so. */
export type Identity = {
  subject: string;
  email: string | undefined;
  firstName?: string;
  lastName?: string;
  /** How they showed it there, where it is signed. */
  strength?: ToldStrength;
};

const ALGORITHMS = [...ASSERTION_ALGORITHMS, 'PS256', 'PS384', 'PS512', 'EdDSA'];
const CLOCKS_DIFFER_SECONDS = 60;
/** A subject has 255 characters at most (OpenID Connect Core §2), an address 254. */
const MOST_NAME = 255;

/**
 * Who somebody is who comes back from a provider: as its id token says, when an issuer is named that must have signed it, for us, for this
 * sign-in (OpenID Connect Core §3.1.3.7); otherwise, or for an address that is not in it, as its userinfo says. Throws 400.
 */
export async function verifyIdentity(
  provider: Provider,
  { accessToken, idToken }: { accessToken: string | undefined; idToken: string | undefined },
  nonce: string,
): Promise<Identity> {
  const { issuer, clientId, userInfoUrl } = provider.settings;
  const told = issuer === undefined ? undefined : await verify(provider, idToken ?? '', clientId);
  if (told && told.nonce !== nonce) throw refused();
  const strength = requireYoung(provider, told);
  if (told && (toIdentity(told).email !== undefined || provider.settings.useSubject || !userInfoUrl))
    return { ...toIdentity(told), ...strength };
  if (!accessToken || !userInfoUrl) throw refused();
  const info = await readUserInfo(provider, accessToken);
  // OpenID Connect Core §5.3.2.
  if (told && told.sub !== info.sub) throw refused();
  return { ...toIdentity(info), ...strength };
}

/**
 * Whose an access token of a provider is, as its userinfo says. One that is signed is looked at first: it must be made for us, and not for some
 * other program that this person has let in there. Of one that says nothing by itself the provider's word is all there is, unless
 * `audience` is demanded. Throws 400.
 */
export async function verifySubjectToken(provider: Provider, token: string): Promise<Identity> {
  const { issuer, audience, clientId } = provider.settings;
  if (issuer !== undefined && isSigned(token)) {
    const claims = await verify(provider, token, undefined);
    const named = [claims.aud, claims.azp, claims.client_id].flat();
    const ours = [audience ?? clientId];
    if (!ours.some((name) => name !== undefined && named.includes(name))) throw refused();
    const strength = requireYoung(provider, claims);
    return { ...toIdentity(await readUserInfo(provider, token)), ...strength };
  }
  if (audience !== undefined) throw refused();
  requireYoung(provider, undefined);
  return toIdentity(await readUserInfo(provider, token));
}

/** What it signed of how and when they signed in there. Throws 400 for one that is older than the provider's settings want it, or does not say. */
function requireYoung({ settings }: Provider, claims: JWTPayload | undefined): Pick<Identity, 'strength'> {
  const strength = claims && readStrength(claims);
  if (!isYoungEnough(settings, strength, CLOCKS_DIFFER_SECONDS)) throw refused();
  return strength && (strength.acr !== undefined || strength.amr.length > 0) ? { strength } : {};
}

async function verify(provider: Provider, token: string, audience: string | undefined): Promise<JWTPayload> {
  try {
    const keys = clientKeys(await findKeysUri(provider));
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: provider.settings.issuer,
      audience,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: CLOCKS_DIFFER_SECONDS,
    });
    const isOthers = audience !== undefined && payload.azp !== undefined && payload.azp !== audience;
    if (isOthers) throw new Error('it was made for another client');
    return payload;
  } catch (error) {
    log.warn({ provider: provider.owner, err: error }, 'a token of an identity provider was refused');
    throw refused();
  }
}

function isSigned(token: string): boolean {
  try {
    return typeof decodeProtectedHeader(token).alg === 'string';
  } catch {
    return false;
  }
}

/** An address that is not proven there is nobody's. */
function toIdentity(claims: Record<string, unknown>): Identity {
  const { sub, email, email_verified: isProven, given_name: given, family_name: family } = claims;
  if (!isName(sub)) throw refused();
  return {
    subject: sub,
    email: isName(email) && isProven === true ? email.toLowerCase() : undefined,
    ...(isName(given) && { firstName: given }),
    ...(isName(family) && { lastName: family }),
  };
}

/** Of what a provider says anything can stand in it; a text that no database takes, and one that names nobody, is none. */
export function isName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length <= MOST_NAME &&
    !value.includes('\u0000') &&
    value.isWellFormed()
  );
}
