import { randomInt } from 'node:crypto';
import { keyedHash } from '#lib/infra/crypto/keyed-hash.ts';

/** No vowels, so that no words come of it, and nothing that is read for something else (RFC 8628 §6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** What a person reads on a device and types elsewhere: eight letters in two groups, of 25 thousand million. */
export function makeUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** However it was typed: small letters, spaces and strokes do not count. */
export function hashUserCode(typed: string): string {
  return keyedHash('device-user-code', typed.toUpperCase().replace(/[^A-Z]/g, ''));
}
