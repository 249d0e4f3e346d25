import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Proof, ProofMethod } from '#lib/protocol/proof/answers.ts';
import { PROOF_SECONDS } from '#lib/protocol/proof/proof.ts';
import type { ProofRequest } from '#lib/protocol/proof/requests.ts';
import type { Ctx, Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { verifyPassword } from '../accounts/verify-password.ts';
import { write } from '../audit/write.ts';
import { attemptCode } from '../factors/attempt-code.ts';
import { findFactors } from '../factors/find-factors.ts';
import { spendCode } from '../factors/spend-code.ts';
import { throttle } from '../limits/throttle.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { lastProof } from '../proofs/last-proof.ts';
import { noteFactor } from '../sessions/note-factor.ts';
import { noteProof } from '../sessions/note-proof.ts';
import { findPasskeys } from '../webauthn/own-rows.ts';
import { provePasskey } from '../webauthn/prove-passkey.ts';

/** GET /auth/proof: when the caller last showed who they are here, and by what they can again. Throws 403 for who has not signed in themselves. */
export async function readProof(ctx: Ctx): Promise<Proof> {
  const { user, login } = await requireOwnAccount(ctx);
  return toProof(user, lastProof(login));
}

/**
 * POST /auth/proof: shows again who is there, for this session alone. Throws 400 naming what is wrong, 403 as there, and 429 as a sign-in does.
 */
export async function proveAgain(ctx: Ctx, input: ProofRequest): Promise<Proof> {
  const { user, login } = await requireOwnAccount(ctx);
  const at = new Date();
  const note = async (w: Write, method: string) => {
    await noteProof(w, login, at);
    // It asks who is there before it signs: two factors. A code to the mailbox that a link came to proves nothing more.
    const isFactor = method !== 'password' && !(method === 'email' && login.authMethod === 'link');
    if (isFactor) await noteFactor(w, login);
    w.audit({ projectId: login.projectId, action: 'login.prove', target: login.userRef, after: { method } });
  };
  const { token } = input;
  if (token === undefined) {
    const how = input.response ? await byPasskey(user.id, input.response) : await byPassword(user.id, input.password);
    await write(ctx, (w) => note(w, how));
  } else {
    // One transaction: the code is spent with what it is spent for.
    await attemptCode(ctx, { userId: user.id, projectId: login.projectId }, () =>
      write(ctx, async (w) => {
        const how = await spendCode(w.tx, { userId: user.id, loginId: login.id }, token);
        if (!how) {
          w.unchanged();
          return undefined;
        }
        if (how === 'recovery')
          w.audit({ projectId: user.scope, action: 'user.factor.recover', target: `User/${user.id}` });
        await note(w, how);
        return how;
      }),
    );
  }
  return toProof(user, at);
}

async function byPasskey(own: string, response: NonNullable<ProofRequest['response']>): Promise<'passkey'> {
  const { isRight, userId } = await provePasskey(response);
  if (isRight && userId === own) return 'passkey';
  throw new AppError('invalid', 'This passkey is not one of yours, or it was too late', { expression: 'response' });
}

async function byPassword(userId: string, password = ''): Promise<'password'> {
  await throttle(`password:${userId}`);
  if (await verifyPassword(userId, password)) return 'password';
  throw new AppError('invalid', 'Incorrect password', { expression: 'password' });
}

async function toProof(user: FoundUser, at: Date): Promise<Proof> {
  const [passkeys, isKnown, factors] = await Promise.all([
    findPasskeys(db(), user.id),
    hasPassword(db(), user.id),
    findFactors(db(), user.id),
  ]);
  const methods: ProofMethod[] = [
    ...(passkeys.length > 0 ? (['passkey'] as const) : []),
    ...(isKnown ? (['password'] as const) : []),
    ...factors,
  ];
  const goodUntil = new Date(at.getTime() + PROOF_SECONDS * 1000);
  return { provenAt: at.toISOString(), goodUntil: goodUntil.toISOString(), methods };
}
