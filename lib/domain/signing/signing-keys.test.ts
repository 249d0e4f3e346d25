import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { verifyToken } from '../oauth/verify-access-token.ts';
import { reloadSigningKeys, signingKeys } from './signing-keys.ts';

test('of instances that start at once one makes the key, and its private part is sealed', async () => {
  await db().delete(signingKey);
  const [[key]] = await Promise.all([signingKeys(), signingKeys(), signingKeys()]);
  const rows = await db().select().from(signingKey);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ kid: key!.kid, alg: 'ES256', active: true });
  expect(rows[0]!.privateSealed).toMatch(/^v2\./);
  expect(rows[0]!.publicJwk).not.toHaveProperty('d');
});

test('tokens that name a key nobody has cost one look a second, however many', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const forge = () => new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: newId() }).sign(privateKey);
  const tokens = await Promise.all(Array.from({ length: 200 }, forge));
  const keys = (await signingKeys()).length;
  const start = performance.now();
  const looks = new Set([reloadSigningKeys(), ...tokens.map(() => reloadSigningKeys())]);
  // Every second that it takes, on a busy machine, may be the next one.
  expect(looks.size).toBeLessThanOrEqual(2 + Math.floor((performance.now() - start) / 1000));
  await Promise.all(tokens.map((token) => expect(verifyToken(token)).rejects.toMatchObject({ code: 'unauthorized' })));
  expect(await signingKeys()).toHaveLength(keys);
});

test('a key that another instance has made is found', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: 'ES256' };
  const privateSealed = seal('signing-key', JSON.stringify(await exportJWK(privateKey)));
  await db().insert(signingKey).values({ kid, alg: 'ES256', publicJwk, privateSealed });
  const header = { alg: 'ES256', kid };
  const token = await new SignJWT({ iss: env().BASE_URL })
    .setProtectedHeader(header)
    .setExpirationTime('1m')
    .sign(privateKey);
  const issuer = () =>
    verifyToken(token).then(
      (claims) => claims.iss,
      () => undefined,
    );
  await expect.poll(issuer).toBe('http://localhost:3999');
});
