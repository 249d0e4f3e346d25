import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makePkce } from './pkce.ts';

test('the challenge is the unpadded base64url SHA-256 of a verifier of at least 43 characters', async () => {
  const { codeVerifier, codeChallenge, codeChallengeMethod } = await makePkce();
  expect(codeVerifier).toMatch(/^[\w-]{43,128}$/);
  expect(codeChallenge).toBe(createHash('sha256').update(codeVerifier).digest('base64url'));
  expect(codeChallengeMethod).toBe('S256');
});
