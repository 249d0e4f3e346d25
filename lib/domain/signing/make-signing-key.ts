import { exportJWK, generateKeyPair } from 'jose';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import type { signingKey } from '#lib/infra/db/schema/identity.ts';
import { SEALED } from './sealed.ts';

/** ES256 signs what comes back to us; RS256 is for ID tokens of clients that know nothing else (OpenID Connect Core §15.1 wants it). */
export const SIGNING_ALGORITHMS = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** A row for a new key; its private part is sealed. */
export async function makeSigningKey(alg: SigningAlgorithm = 'ES256'): Promise<typeof signingKey.$inferInsert> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  const privateSealed = seal(SEALED.signing_key.purpose, JSON.stringify(await exportJWK(privateKey)));
  return { kid, alg, publicJwk, privateSealed, createdAt: new Date() };
}
