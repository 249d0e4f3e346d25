import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 in base64url: for secrets of 112 bits and more (OWASP ASVS 6.5.2), where a slow hash adds nothing. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Constant-time: compares digests, so that length says nothing either. An absent hash never matches. */
export function secretMatches(secret: string, hash: string | null | undefined): boolean {
  const given = Buffer.from(hashSecret(secret));
  const kept = Buffer.from(hash ?? hashSecret(''));
  const same = given.length === kept.length && timingSafeEqual(given, kept);
  return same && Boolean(hash);
}
