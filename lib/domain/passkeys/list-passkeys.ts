import { db } from '#lib/infra/db/client.ts';
import type { OwnPasskeys } from '#lib/protocol/passkeys/answers.ts';
import type { Ctx } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { findPasskeys } from '../webauthn/own-rows.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { toPasskey } from './to-passkey.ts';

/** The caller's own. Throws 403. */
export async function listPasskeys(ctx: Ctx): Promise<OwnPasskeys> {
  const { user } = await requireOwnAccount(ctx);
  const [rows, isKnown] = await Promise.all([findPasskeys(db(), user.id), hasPassword(db(), user.id)]);
  return { passkeys: rows.map(toPasskey), hasPassword: isKnown };
}
