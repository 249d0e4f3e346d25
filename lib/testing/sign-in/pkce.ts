import { createHash } from 'node:crypto';
import { newSecret } from '#lib/base/ids.ts';

/** A verifier, and the challenge as a sign-in sends it. */
export function pkceOf() {
  const verifier = newSecret(48);
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  return { verifier, codeChallenge, codeChallengeMethod: 'S256' as const };
}
