import { createHmac, timingSafeEqual } from 'node:crypto';
import { keyring } from './keyring.ts';

/** HMAC-SHA-256 under AUTH_SECRET, base64url: to recognise a text that may hold low-entropy secrets without keeping it. */
export function keyedHash(purpose: string, text: string): string {
  return hashUnder(keyring()[0], purpose, text);
}

/** Whether it is the hash of this text, also under an earlier secret. Constant-time. */
export function isKeyedHash(purpose: string, text: string, hash: string): boolean {
  return keyring().some((secret) => equal(hash, hashUnder(secret, purpose, text)));
}

function hashUnder(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n`).update(text).digest('base64url');
}

function equal(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}
