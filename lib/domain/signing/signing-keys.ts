import { createPrivateKey, type KeyObject } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { sealedNow, unseal } from '#lib/infra/crypto/seal.ts';
import { db, transaction } from '#lib/infra/db/client.ts';
import { dropLocally, publishInvalidations } from '#lib/infra/db/invalidation.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { SIGNING_KEYS_TAG } from '../access/cache-tags.ts';
import { makeSigningKey, type SigningAlgorithm } from './make-signing-key.ts';
import { SEALED } from './sealed.ts';

export type SigningKey = { kid: string; alg: string; publicJwk: JWK; publicKey: CryptoKey; privateKey?: KeyObject };
/** The newest of its algorithm: with it tokens are signed. */
export type OwnKey = SigningKey & { privateKey: KeyObject };
export type SigningKeys = [OwnKey, ...SigningKey[]];

const live = createLiveCache<SigningKeys>(1);

/**
 * The active keys as they stand now, in every process: tokens are signed with the first, of ES256, which is made on first use, and verified with any.
 * Throws when AUTH_SECRET does not open the first.
 */
export function signingKeys(): Promise<SigningKeys> {
  return live.get('active', async () => ({ value: await loadOrMake(), tags: [SIGNING_KEYS_TAG] }));
}

const RELOAD_MS = 1000;
let reloaded: { at: number; keys: Promise<SigningKey[]> } | undefined;

/** After a key that this process does not know: another may have made it a moment ago. Anybody can name one, so at most once a second. */
export function reloadSigningKeys(): Promise<SigningKey[]> {
  const at = performance.now();
  if (!reloaded || at - reloaded.at >= RELOAD_MS) reloaded = { at, keys: load() };
  return reloaded.keys;
}

async function loadOrMake(): Promise<SigningKeys> {
  const known = await load();
  if (canSign(known)) return known;
  const made = await makeMissing('ES256');
  if (!canSign(made)) throw new Error('No signing key could be made');
  return made;
}

/** The newest key for an algorithm of ID tokens. That of RS256 is made when the first client wants it. */
export async function signingKeyFor(alg: SigningAlgorithm): Promise<OwnKey> {
  const known = findOwn(await signingKeys(), alg);
  // This process may not have heard yet of one that was just made.
  const found = known ?? findOwn(await makeMissing(alg), alg);
  if (!found) throw new Error(`No signing key for ${alg} could be made`);
  return found;
}

/** Of several processes one makes it. */
async function makeMissing(alg: SigningAlgorithm): Promise<SigningKey[]> {
  const published = await transaction(async (tx) => {
    await lockName(tx, SIGNING_KEYS_TAG);
    const rows = await tx.select().from(signingKey).where(ACTIVE).orderBy(FIRST_FIRST);
    if (rows.find((row) => row.alg === alg)?.privateSealed) return undefined;
    const createdAt = alg === 'ES256' ? new Date() : beforeOf(rows[0]?.createdAt);
    await tx.insert(signingKey).values({ ...(await makeSigningKey(alg)), createdAt });
    return publishInvalidations(tx, [SIGNING_KEYS_TAG]);
  });
  // Whoever is given the first token of it finds it among our keys, at whichever process they ask.
  dropLocally([SIGNING_KEYS_TAG]);
  await published?.();
  return load();
}

/** The release before signs everything with the newest of all, which is to be the one of ES256. */
export function beforeOf(createdAt: Date = new Date()): Date {
  return new Date(createdAt.getTime() - 1);
}

const ACTIVE = eq(signingKey.active, true);
const FIRST_FIRST = sql`(alg = 'ES256') desc, created_at desc`;

function canSign(keys: SigningKey[]): keys is SigningKeys {
  return keys[0]?.alg === 'ES256' && keys[0].privateKey !== undefined;
}

function findOwn(keys: SigningKey[], alg: SigningAlgorithm): OwnKey | undefined {
  const newest = keys.find((key) => key.alg === alg);
  return newest?.privateKey && { ...newest, privateKey: newest.privateKey };
}

async function load(): Promise<SigningKey[]> {
  const rows = await db().select().from(signingKey).where(ACTIVE).orderBy(FIRST_FIRST);
  return Promise.all(rows.map(parse));
}

type KeyRow = typeof signingKey.$inferSelect;

/** To open one takes longer than to read its row. By what it is opened with, too. */
const parsed = new LRUCache<string, Promise<SigningKey>>({ max: 20 });

function parse(row: KeyRow): Promise<SigningKey> {
  const name = `${row.kid} ${row.privateSealed} ${sealedNow()}`;
  const known = parsed.get(name);
  if (known) return known;
  const key = openKey(row);
  parsed.set(name, key);
  key.catch(() => parsed.delete(name));
  return key;
}

async function openKey({ kid, alg, publicJwk, privateSealed }: KeyRow): Promise<SigningKey> {
  return {
    kid,
    alg,
    publicJwk: publicJwk as JWK,
    publicKey: (await importJWK(publicJwk as JWK, alg)) as CryptoKey,
    ...(privateSealed && { privateKey: openPrivate(privateSealed) }),
  };
}

function openPrivate(sealed: string): KeyObject {
  let plain: string;
  try {
    plain = unseal(SEALED.signing_key.purpose, sealed);
  } catch (cause) {
    const text =
      'AUTH_SECRET: is not the secret of this data; set it back, or give the earlier one in AUTH_SECRET_PREVIOUS';
    throw Object.assign(new WrongSettings(text), { cause });
  }
  return createPrivateKey({ key: JSON.parse(plain), format: 'jwk' });
}
