import { createPrivateKey, type KeyObject } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { newId } from '#lib/base/ids.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { db, transaction } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';

const ALG = 'ES256';
const PURPOSE = 'signing-key';

export type SigningKey = { kid: string; alg: string; publicJwk: JWK; publicKey: CryptoKey; privateKey: KeyObject };

let loaded: Promise<SigningKey[]> | undefined;

/** The active keys, newest first: tokens are signed with the first and verified with any. Made on first use. */
export function signingKeys(): Promise<SigningKey[]> {
  loaded ??= loadOrCreate().catch((error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

const RELOAD_MS = 1000;
let reloaded: { at: number; keys: Promise<SigningKey[]> } | undefined;

/** After a key that this process does not know: another instance may have made it. Anybody can name one, so at most once a second. */
export function reloadSigningKeys(): Promise<SigningKey[]> {
  const at = performance.now();
  if (!reloaded || at - reloaded.at >= RELOAD_MS) reloaded = { at, keys: reload() };
  return reloaded.keys;
}

async function reload(): Promise<SigningKey[]> {
  const keys = await load();
  if (keys.length > 0) loaded = Promise.resolve(keys);
  return keys;
}

async function loadOrCreate(): Promise<SigningKey[]> {
  const known = await load();
  if (known.length > 0) return known;
  await transaction(async (tx) => {
    await lockName(tx, 'signing-key');
    const [other] = await tx.select({ kid: signingKey.kid }).from(signingKey).limit(1);
    if (!other) await tx.insert(signingKey).values(await createRow());
  });
  return load();
}

async function load(): Promise<SigningKey[]> {
  const rows = await db().select().from(signingKey).where(eq(signingKey.active, true)).orderBy(sql`created_at desc`);
  return Promise.all(
    rows.map(async (row) => ({
      kid: row.kid,
      alg: row.alg,
      publicJwk: row.publicJwk as JWK,
      publicKey: (await importJWK(row.publicJwk as JWK, row.alg)) as CryptoKey,
      privateKey: createPrivateKey({ key: JSON.parse(unseal(PURPOSE, row.privateSealed)), format: 'jwk' }),
    })),
  );
}

async function createRow(): Promise<typeof signingKey.$inferInsert> {
  const { publicKey, privateKey } = await generateKeyPair(ALG, { extractable: true });
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: ALG, use: 'sig' };
  return { kid, alg: ALG, publicJwk, privateSealed: seal(PURPOSE, JSON.stringify(await exportJWK(privateKey))) };
}
