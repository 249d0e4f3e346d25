import { randomInt } from 'node:crypto';
import { keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';

/**
 * Six digits, and what is kept of them: an HMAC under AUTH_SECRET, since so few could be guessed from a plain hash. Hashed
 * once more because the store's compare in constant time hashes what it is given.
 */
export function makeLinkCode(linkId: string): { code: string; hash: string } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: hashSecret(toKeyed(linkId, code)) };
}

/** Constant-time. */
export function isLinkCode(linkId: string, code: string, hash: string): boolean {
  return secretMatches(toKeyed(linkId, code), hash);
}

function toKeyed(linkId: string, code: string): string {
  return keyedHash('link-code', `${linkId}\n${code}`);
}
