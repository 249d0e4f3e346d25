import { hkdfSync } from 'node:crypto';
import { env } from '#lib/base/env.ts';

/** AUTH_SECRET, which seals and signs, and then those of AUTH_SECRET_PREVIOUS, which only open and recognise. */
export function keyring(): [string, ...string[]] {
  const { AUTH_SECRET, AUTH_SECRET_PREVIOUS } = env();
  return [AUTH_SECRET, ...AUTH_SECRET_PREVIOUS];
}

const derived = new Map<string, Buffer>();

/** A key of 32 bytes for one purpose (HKDF, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  const name = `${purpose}\n${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', secret, '', `gatehouse:${purpose}`, 32));
  derived.set(name, key);
  return key;
}

/** Eight characters that name a secret and tell nothing of it. */
export function secretName(secret: string): string {
  return deriveKey(secret, 'name of the secret').toString('base64url').slice(0, 8);
}
