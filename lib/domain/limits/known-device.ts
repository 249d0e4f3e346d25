import { newSecret } from '#lib/base/ids.ts';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';

/** How long a browser is known after a sign-in. */
export const DEVICE_SECONDS = 365 * 86_400;

const PURPOSE = 'known-device';
const SEPARATOR = '~';
/** On a shared machine it is a list, the newest first. */
const MOST = 20;

/**
 * A browser in which somebody has signed in keeps a word of ours for that account (OWASP, device cookies). It opens nothing by itself: it
 * lets the owner try while strangers who guess must wait. Returns what names the device, when one of the words is for this account.
 */
export function knownDevice(words: string, userId: string): string | undefined {
  return wordsIn(words).find((word) => isFor(word, userId) && isOurs(word));
}

/** What a browser is to keep, and what tells it from the person's other ones: a secret of the word for this account. */
export type Remembered = { words: string; token: string };

/** The words with one for this account, good for another year: the same secret as before where there was one. */
export function rememberDevice(words: string, userId: string): Remembered {
  const others = wordsIn(words).filter((word) => !isFor(word, userId) && isOurs(word));
  const token = knownDevice(words, userId)?.split('.')[2] ?? newSecret(12);
  const text = `${userId}.${now() + DEVICE_SECONDS}.${token}`;
  return { words: [`${text}.${keyedHash(PURPOSE, text)}`, ...others].slice(0, MOST).join(SEPARATOR), token };
}

function wordsIn(words: string): string[] {
  return words.split(SEPARATOR, MOST);
}

function isFor(word: string, userId: string): boolean {
  return word.startsWith(`${userId}.`);
}

function isOurs(word: string): boolean {
  const at = word.lastIndexOf('.');
  const [, expires] = word.split('.', 2);
  return Number(expires) > now() && isKeyedHash(PURPOSE, word.slice(0, at), word.slice(at + 1));
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
