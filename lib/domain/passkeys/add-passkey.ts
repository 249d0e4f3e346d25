import { AppError } from '#lib/base/errors.ts';
import { readNewKey } from '#lib/infra/crypto/webauthn.ts';
import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import type { AddPasskeyRequest } from '#lib/protocol/passkeys/requests.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireFactorShown } from '../sign-in/require-factor-shown.ts';
import { insertPasskey, lockPasskeys } from '../webauthn/own-rows.ts';
import { spendChallenge } from '../webauthn/spend-challenge.ts';
import { nameAuthenticator } from './name-authenticator.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { requireRoom } from './require-room.ts';
import { tellPasskey } from './tell-passkey.ts';
import { toPasskey } from './to-passkey.ts';

/** Keeps what the browser made for `offerPasskey`, and mails the person. One 400 for whatever is wrong with it; 403, and 409 as there. */
export async function addPasskey(ctx: Ctx, { response, name }: AddPasskeyRequest): Promise<Passkey> {
  const { user, login } = await requireOwnAccount(ctx);
  await requireFactorShown(login);
  const spent = await spendChallenge(response.response.clientDataJSON, login.id);
  const key = spent && (await readNewKey(response, spent.challenge));
  if (!key || !spent.userHandle) {
    throw new AppError('invalid', 'This passkey could not be added: try again', { expression: 'response' });
  }
  const { aaguid, ...fields } = key;
  const named = { ...fields, userHandle: spent.userHandle, name: name ?? nameAuthenticator(aaguid, ctx.userAgent) };
  return write(ctx, async (w) => {
    requireRoom(await lockPasskeys(w, user.id));
    const row = await insertPasskey(w, { userId: user.id, ...named });
    await tellPasskey(w, user, 'added', row);
    return toPasskey(row);
  });
}
