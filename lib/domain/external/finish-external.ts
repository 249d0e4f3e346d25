import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { redeemAtProvider } from '../providers/ask-provider.ts';
import { verifyIdentity } from '../providers/verify-identity.ts';
import { enterExternal } from './enter-external.ts';
import { callbackOf, requireProviderOf } from './start-external.ts';
import { notAwaited, takeWaiting } from './take-waiting.ts';

/**
 * What came back from a provider becomes a sign-in, as a password makes one: the address where the browser goes with it. `kept`: what this browser
 * has kept under the answer's state. Throws 400, for the person to read, for an answer that this browser does not wait for, comes twice,
 * is another provider's, or names nobody.
 */
export async function finishExternal(
  ctx: Ctx,
  params: URLSearchParams,
  { kept, ownClient }: { kept: string | undefined; ownClient: string | undefined },
): Promise<string> {
  const [state = '', second] = params.getAll('state');
  if (second !== undefined || params.getAll('code').length > 1) throw notAwaited();
  const waiting = await takeWaiting(state, { kept, ownClient });
  const provider = await requireProviderOf(waiting);
  // RFC 9207 §2.4: who says from whom it is must say it right.
  const issuer = params.get('iss');
  if (issuer !== null && issuer !== provider.settings.issuer) throw notAwaited();
  const code = params.get('code');
  if (params.has('error') || !code) throw new AppError('invalid', 'The identity provider did not sign you in');
  const { nonce, verifier, request } = waiting;
  const told = await redeemAtProvider(provider, { code, redirectUri: callbackOf(ownClient), verifier });
  const identity = await verifyIdentity(provider, told, nonce);
  return enterExternal(ctx, provider, identity, request);
}
