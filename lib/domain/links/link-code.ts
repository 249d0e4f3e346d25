import { randomInt } from 'node:crypto';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';

const PURPOSE = 'link-code';

/** Six digits, and what is kept of them: an HMAC under AUTH_SECRET, since so few could be guessed from a plain hash. */
export function makeLinkCode(linkId: string): { code: string; hash: string } {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  return { code, hash: keyedHash(PURPOSE, toText(linkId, code)) };
}

/** Constant-time. */
export function isLinkCode(linkId: string, code: string, hash: string): boolean {
  return isKeyedHash(PURPOSE, toText(linkId, code), hash);
}

function toText(linkId: string, code: string): string {
  return `${linkId}\n${code}`;
}
