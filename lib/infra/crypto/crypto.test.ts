import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { hashCosts } from '#lib/testing/sign-in/hash-costs.ts';
import { isKeyedHash, keyedHash } from './keyed-hash.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { seal, sealedNow, unseal } from './seal.ts';
import { hashSecret, secretMatches } from './secret.ts';

describe('seal', () => {
  test('opens to what was sealed, and looks different every time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const sealed = seal('mail', text);
        expect(unseal('mail', sealed)).toBe(text);
        expect(seal('mail', text)).not.toBe(sealed);
        if (text.length > 3) expect(sealed).not.toContain(text);
      }),
    );
  });

  test('one bit changed anywhere, and it does not open', () => {
    const sealed = seal('mail', 'a one-time link');
    const start = sealed.lastIndexOf('.') + 1;
    const bytes = Buffer.from(sealed.slice(start), 'base64url');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      for (const head of [sealed.slice(0, start), 'v1.', '']) {
        expect(() => unseal('mail', `${head}${changed.toString('base64url')}`)).toThrow();
      }
    }
  });

  test('cut short, empty, or sealed for another purpose, it does not open', () => {
    const sealed = seal('mail', 'text');
    const [head, name, content = ''] = sealed.split('.');
    const shortTag = `${head}.${name}.${Buffer.from(content, 'base64url').subarray(0, 16).toString('base64url')}`;
    for (const text of [
      '',
      'v1.',
      'v2.',
      `${head}.${name}.`,
      shortTag,
      content,
      sealed.slice(0, 20),
      sealed.slice(0, -4),
    ])
      expect(() => unseal('mail', text)).toThrow();
    expect(() => unseal('refresh', sealed)).toThrow();
  });
});

describe('keyring', () => {
  const EARLIER = env().AUTH_SECRET;
  const next = (AUTH_SECRET_PREVIOUS: string[]) =>
    onTestFinished(changeSettings({ AUTH_SECRET: 'the-next-secret-of-32-characters-', AUTH_SECRET_PREVIOUS }));

  test('what an earlier secret sealed or hashed is opened and recognised while it is given, and sealed by the new one only', () => {
    const [sealed, hash] = [seal('mail', 'text'), keyedHash('code', '123456')];
    const first = `v1.${sealed.split('.')[2]}`;
    next(['another-secret-that-was-32-characters', EARLIER]);
    expect([unseal('mail', sealed), unseal('mail', first)]).toEqual(['text', 'text']);
    expect(isKeyedHash('code', '123456', hash)).toBe(true);
    expect(keyedHash('code', '123456')).not.toBe(hash);
    expect(seal('mail', 'text').startsWith(sealedNow())).toBe(true);
    expect(sealed.startsWith(sealedNow())).toBe(false);
    expect(sealedNow()).not.toContain(EARLIER.slice(0, 6));
  });

  test('without it nothing is', () => {
    const [sealed, hash] = [seal('mail', 'text'), keyedHash('code', '123456')];
    next([]);
    for (const text of [sealed, `v1.${sealed.split('.')[2]}`]) expect(() => unseal('mail', text)).toThrow();
    expect(() => unseal('mail', sealed)).toThrow('AUTH_SECRET_PREVIOUS');
    expect(isKeyedHash('code', '123456', hash)).toBe(false);
  });
});

describe('password', () => {
  // Made once, for whom nobody knows.
  beforeAll(async () => void (await passwordMatches('', undefined)));

  test.each(['production', 'development'] as const)(
    'costs what OWASP asks for in %s, and the hash says so',
    async (NODE_ENV) => {
      onTestFinished(changeSettings({ NODE_ENV }));
      const hash = await hashPassword('Violet-Hammock-41');
      expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
      expect(await hashCosts(() => passwordMatches('Violet-Hammock-41', hash))).toMatchObject([
        { N: 32768, r: 8, p: 3 },
      ]);
    },
  );

  test('matches itself only; the hash says nothing of the password', async () => {
    const hash = await hashPassword('Violet-Hammock-41');
    expect(hash).toMatch(/^scrypt\$\d+\$8\$\d\$[\w-]{22}\$[\w-]{43}$/);
    expect(await passwordMatches('Violet-Hammock-41', hash)).toBe(true);
    for (const wrong of ['violet-hammock-41', 'Violet-Hammock-41 ', '', 'x'.repeat(1000)]) {
      expect(await passwordMatches(wrong, hash)).toBe(false);
    }
    expect(await hashPassword('Violet-Hammock-41')).not.toBe(hash);
  });

  test('an accent typed in two ways is one password (NIST SP 800-63B §3.1.1.2)', async () => {
    expect(await passwordMatches('Cafe\u0301-Hammock', await hashPassword('Caf\u00e9-Hammock'))).toBe(true);
  });

  test('nobody’s password never matches, and to find out costs what a wrong one does', async () => {
    const hash = await hashPassword('Violet-Hammock-41');
    expect(await passwordMatches('', undefined)).toBe(false);
    expect(await hashCosts(() => passwordMatches('', undefined))).toEqual(
      await hashCosts(() => passwordMatches('', hash)),
    );
  });
});

describe('secret', () => {
  test('matches its own hash only; no hash matches nothing, not even the empty secret', () => {
    const hash = hashSecret('s3cret');
    expect(secretMatches('s3cret', hash)).toBe(true);
    for (const wrong of ['', 'S3cret', hash]) expect(secretMatches(wrong, hash)).toBe(false);
    for (const none of [undefined, null, '']) expect(secretMatches('', none)).toBe(false);
    expect(secretMatches('x', 'not a hash')).toBe(false);
  });
});
