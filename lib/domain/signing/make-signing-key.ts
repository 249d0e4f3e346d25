import { exportJWK, generateKeyPair } from 'jose';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import type { signingKey } from '#lib/infra/db/schema/identity.ts';
import { SEALED } from './sealed.ts';

const ALG = 'ES256';

/** A row for a new key; its private part is sealed. */
export async function makeSigningKey(): Promise<typeof signingKey.$inferInsert> {
  const { publicKey, privateKey } = await generateKeyPair(ALG, { extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: ALG, use: 'sig' };
  const privateSealed = seal(SEALED.signing_key.purpose, JSON.stringify(await exportJWK(privateKey)));
  return { kid, alg: ALG, publicJwk, privateSealed, createdAt: new Date() };
}
