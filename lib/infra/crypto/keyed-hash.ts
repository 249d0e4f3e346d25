import { createHmac, timingSafeEqual } from 'node:crypto';
import { env } from '#lib/base/env.ts';

/** HMAC-SHA-256 under AUTH_SECRET, base64url: to recognise a text that may hold low-entropy secrets without keeping it. */
export function keyedHash(purpose: string, text: string): string {
  return createHmac('sha256', env().AUTH_SECRET).update(`${purpose}\n`).update(text).digest('base64url');
}

/** Constant-time. */
export function isKeyedHash(purpose: string, text: string, hash: string): boolean {
  const [given, own] = [Buffer.from(hash), Buffer.from(keyedHash(purpose, text))];
  return given.length === own.length && timingSafeEqual(given, own);
}
