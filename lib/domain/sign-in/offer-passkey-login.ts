import { requestOptions } from '#lib/infra/crypto/webauthn.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { keepChallenge } from '../webauthn/keep-challenge.ts';

/** Each look at the sign-in page is one, and behind one address a whole hospital may look. */
const OFFERS_A_NETWORK = 3000;

/** What the browser needs to have a passkey sign. It names nobody, so it tells nothing of anybody. */
export async function offerPasskeyLogin(ctx: Ctx) {
  await throttle(`passkey-offers-from:${networkOf(ctx.remoteAddress)}`, OFFERS_A_NETWORK);
  return requestOptions(await keepChallenge());
}
