import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '../access/context.ts';
import { type OwnAccount, requireOwnAccount } from '../passkeys/require-own-account.ts';
import { lastFactor, requireFactorProof } from '../proofs/require-factor-proof.ts';
import { requireFactorShown } from '../sign-in/require-factor-shown.ts';

/**
 * Who has signed in themselves, with a second step or a passkey shown lately: what comes from another account is not less protected than it was.
 * Throws 403, and 409 for an account that is of one project alone: it is entered nowhere else.
 */
export async function requireMerger(ctx: Ctx): Promise<OwnAccount> {
  const own = await requireOwnAccount(ctx);
  await requireFactorShown(own.login);
  if (!lastFactor(own.login)) {
    const text =
      'A password alone merges no accounts: sign in with a second step or a passkey, which you can add here first';
    throw new AppError('forbidden', text);
  }
  requireFactorProof(own.login);
  if (own.user.scope === SERVER_SCOPE) return own;
  throw new AppError('conflict', 'Your account belongs to one project alone, and cannot take in another');
}
