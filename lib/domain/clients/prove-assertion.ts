import { errors, type JWTPayload, jwtVerify } from 'jose';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { takeRoom } from '../limits/throttle.ts';
import { clientKeys } from './client-keys.ts';
import type { Client } from './find-client.ts';

export const ASSERTION_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'];

/** SMART App Launch §5 has five minutes. Nobody needs more, and for so long each must be remembered. */
const LONGEST_SECONDS = 10 * 60;
const CLOCKS_DIFFER_SECONDS = 60;

/**
 * RFC 7523 §3: what is wrong with a client's assertion, in a sentence, or undefined when it proves the client, which it does once. Signed with
 * a key that stands at the client's jwksUri, by the client about itself, for us, and for a short time.
 */
export async function assertionFault(client: Client, assertion: string): Promise<string | undefined> {
  const { jwksUri } = client.resource;
  if (!jwksUri) return 'Client must have a JWK Set URI';
  let claims: JWTPayload;
  try {
    claims = await verify(client, jwksUri, assertion);
  } catch (error) {
    return toFault(client, error);
  }
  const now = Date.now() / 1000;
  const { exp = 0, iat = now, jti = '' } = claims;
  if (exp > now + LONGEST_SECONDS + CLOCKS_DIFFER_SECONDS)
    return 'Invalid client assertion: exp is more than ten minutes away';
  if (iat > now + CLOCKS_DIFFER_SECONDS) return 'Invalid client assertion: iat is in the future';
  const { count } = await takeRoom(`assertion:${client.id}:${jti}`, Math.ceil(exp - now) + CLOCKS_DIFFER_SECONDS, 1);
  return count > 1 ? 'Invalid client assertion: its jti was used before' : undefined;
}

async function verify(client: Client, jwksUri: string, assertion: string): Promise<JWTPayload> {
  const issuer = env().BASE_URL;
  const { payload } = await jwtVerify(assertion, clientKeys(jwksUri), {
    algorithms: ASSERTION_ALGORITHMS,
    issuer: client.id,
    subject: client.id,
    // RFC 9126 §2: the address of PAR is one of them.
    audience: [issuer, `${issuer}/oauth2/token`, `${issuer}/oauth2/par`],
    requiredClaims: ['exp', 'jti'],
    clockTolerance: CLOCKS_DIFFER_SECONDS,
  });
  return payload;
}

/** What the client can do about it. Throws when its keys could not be fetched, which is no guess: why, only the log tells. */
function toFault(client: Client, error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Invalid client assertion: ${error.claim} is wrong or missing`;
  if (error instanceof errors.JWTExpired) return 'Invalid client assertion: it has expired';
  if (error instanceof errors.JWKSNoMatchingKey) return 'Invalid client assertion: its key is not at the JWK Set URI';
  if (error instanceof errors.JWKSMultipleMatchingKeys) return 'Invalid client assertion: name its key in kid';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `Invalid client assertion: sign it with one of ${ASSERTION_ALGORITHMS.join(', ')}`;
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'Invalid client assertion signature';
  if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) return 'Invalid client assertion';
  log.warn({ clientId: client.id, err: error }, 'the keys of a client could not be fetched');
  throw new AppError('invalid', 'The keys at the client’s JWK Set URI could not be read', { oauth: 'invalid_client' });
}
