import { newSecret } from '#lib/base/ids.ts';
import { creationOptions } from '#lib/infra/crypto/webauthn.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Ctx } from '../access/context.ts';
import { throttle } from '../limits/throttle.ts';
import { requireFactorShown } from '../sign-in/require-factor-shown.ts';
import { keepChallenge } from '../webauthn/keep-challenge.ts';
import { findPasskeys } from '../webauthn/own-rows.ts';
import { requireOwnAccount } from './require-own-account.ts';
import { requireRecentProof } from './require-recent-proof.ts';
import { requireRoom } from './require-room.ts';

const OFFERS = 60;

/** What the browser needs to make the caller a passkey (WebAuthn Level 3 §7.1), for this session alone. Throws 400, 403, 429; 409 when they have too many. */
export async function offerPasskey(ctx: Ctx, { password }: { password?: string }) {
  const own = await requireOwnAccount(ctx);
  await requireFactorShown(own.login);
  await requireRecentProof(own, password);
  const { id, email, firstName, lastName } = own.user;
  await throttle(`passkey-offer:${id}`, OFFERS);
  const known = await findPasskeys(db(), id);
  requireRoom(known);
  // One for all of a person's, so that their authenticators show one account.
  const userHandle = known[0]?.userHandle ?? newSecret();
  const challenge = await keepChallenge({ loginId: own.login.id, userHandle });
  const displayName = `${firstName} ${lastName}`;
  return creationOptions({ challenge, userHandle, userName: email ?? displayName, displayName, known });
}
