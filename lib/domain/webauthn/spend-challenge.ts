import { and, eq, gt, isNull } from 'drizzle-orm';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { challengeIn } from '#lib/infra/crypto/webauthn.ts';
import { db } from '#lib/infra/db/client.ts';
import { passkeyChallenge } from '#lib/infra/db/schema/passkey.ts';

/**
 * The challenge in what a browser sends, if we gave it to this session (null: to who signs in), not long ago. It is gone then, whatever else is
 * wrong: of several at once one has it.
 */
export async function spendChallenge(
  clientDataJSON: string,
  loginId: string | null,
): Promise<{ challenge: string; userHandle: string | null } | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  const { challengeHash, expiresAt, userHandle } = passkeyChallenge;
  const whose = loginId === null ? isNull(passkeyChallenge.loginId) : eq(passkeyChallenge.loginId, loginId);
  const [spent] = await db()
    .delete(passkeyChallenge)
    .where(and(eq(challengeHash, hashSecret(challenge)), gt(expiresAt, new Date()), whose))
    .returning({ userHandle });
  return spent && { challenge, ...spent };
}
