import { and, eq, isNull, lt } from 'drizzle-orm';
import { type Assertion, readSignature } from '#lib/infra/crypto/webauthn.ts';
import { db } from '#lib/infra/db/client.ts';
import { userLogin } from '#lib/infra/db/schema/identity.ts';
import { passkey } from '#lib/infra/db/schema/passkey.ts';
import { spendChallenge } from './spend-challenge.ts';

export type PasskeyProof = {
  isRight: boolean;
  /** Whose passkey it is, right or not, and where their account stands: SERVER_SCOPE, or a project. */
  userId?: string;
  scope?: string;
};

/**
 * Whose passkey signed our challenge (WebAuthn Level 3 §7.2). The counter must have gone on: a copy of the key shows by one that has not. Of two
 * signatures with one count, one counts.
 */
export async function provePasskey(response: Assertion): Promise<PasskeyProof> {
  const spent = await spendChallenge(response.response.clientDataJSON, null);
  const key = spent && (await findLive(response.id));
  if (!key) return { isRight: false };
  const { userId, scope } = key;
  const isTheirs = response.response.userHandle === key.userHandle;
  const signed = isTheirs ? await readSignature(response, spent.challenge, key) : undefined;
  return { isRight: signed !== undefined && (await countOn(key.id, signed)), userId, scope };
}

/** An account that was deleted has no address. */
async function findLive(credentialId: string) {
  const { id, userId, publicKey, counter, userHandle } = passkey;
  const { scope } = userLogin;
  const [row] = await db()
    .select({ id, userId, credentialId: passkey.credentialId, publicKey, counter, userHandle, scope })
    .from(passkey)
    .innerJoin(userLogin, eq(userLogin.userId, passkey.userId))
    .where(and(eq(passkey.credentialId, credentialId), isNull(passkey.endedAt)));
  return row;
}

async function countOn(id: string, signed: { counter: number; backedUp: boolean }): Promise<boolean> {
  const before = signed.counter === 0 ? eq(passkey.counter, 0) : lt(passkey.counter, signed.counter);
  const counted = await db()
    .update(passkey)
    .set({ ...signed, lastUsedAt: new Date() })
    .where(and(eq(passkey.id, id), isNull(passkey.endedAt), before))
    .returning({ id: passkey.id });
  return counted.length > 0;
}
