import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { savePasskeyName } from '../webauthn/own-rows.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { toPasskey } from './to-passkey.ts';

/** Throws 403, and 404 for one that is not the caller's. */
export async function renamePasskey(ctx: Ctx, passkeyId: string, { name }: { name: string }): Promise<Passkey> {
  const { user } = await requireOwnAccount(ctx);
  if (!isUuid(passkeyId)) throw notFound();
  return write(ctx, async (w) => {
    const row = await savePasskeyName(w, user.id, passkeyId, name);
    w.audit({ projectId: user.scope, action: 'user.passkey.rename', target: `User/${user.id}`, after: { name } });
    return toPasskey(row);
  });
}
