import { AppError, notFound } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { write } from '../audit/write.ts';
import { deletePasskey, lockPasskeys } from '../webauthn/own-rows.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { tellPasskey } from './tell-passkey.ts';

/** Takes it out, and mails the person. Throws 403, 404 for one that is not the caller's, and 409 for their only way in. */
export async function removePasskey(ctx: Ctx, passkeyId: string): Promise<void> {
  const { user } = await requireOwnAccount(ctx);
  await write(ctx, async (w) => {
    const known = await lockPasskeys(w, user.id);
    const row = known.find(({ id }) => id === passkeyId.toLowerCase());
    if (!row) throw notFound();
    if (known.length === 1 && !(await hasPassword(w.tx, user.id))) {
      const text = 'This is your only way in: set a password first, by “Forgot it?” on the sign-in page';
      throw new AppError('conflict', text);
    }
    await deletePasskey(w, row);
    await tellPasskey(w, user, 'removed', row);
  });
}
