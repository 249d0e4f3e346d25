import { newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { passkeyChallenge } from '#lib/infra/db/schema/passkey.ts';

const LIFETIME_MS = 5 * 60_000;

/** For whom: a session that adds a passkey with this handle, or nobody yet. */
type KeptFor = { loginId: string; userHandle: string } | undefined;

/** A fresh challenge, base64url, good once and for five minutes. Only its hash is kept. */
export async function keepChallenge(of?: KeptFor): Promise<string> {
  const challenge = newSecret();
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  await db()
    .insert(passkeyChallenge)
    .values({ challengeHash: hashSecret(challenge), expiresAt, loginId: null, userHandle: null, ...of });
  return challenge;
}
