import type { Ctx } from '../access/context.ts';
import { isSaml } from '../providers/provider.ts';
import { serviceProjectOf } from '../providers/service-provider.ts';
import { verifySaml } from '../providers/verify-saml.ts';
import { enterExternal } from './enter-external.ts';
import { requestIdOf, requireProviderOf } from './start-external.ts';
import { notAwaited, takeWaiting } from './take-waiting.ts';

export type SamlAnswer = { samlResponse: string; relayState: string };

/**
 * As `finishExternal`, of an answer of a SAML provider. `projectId`: at whose address it came. The provider is that of the sign-in that this
 * browser has begun, whatever the answer says; one that it has not begun (IdP-initiated) is not awaited.
 */
export async function finishSaml(
  ctx: Ctx,
  { samlResponse, relayState }: SamlAnswer,
  { kept, projectId }: { kept: string | undefined; projectId: string },
): Promise<string> {
  const waiting = await takeWaiting(relayState, { kept, ownClient: undefined });
  const provider = await requireProviderOf(waiting);
  if (!isSaml(provider) || serviceProjectOf(provider) !== projectId) throw notAwaited();
  const identity = await verifySaml(provider, samlResponse, requestIdOf(waiting));
  return enterExternal(ctx, provider, identity, waiting.request);
}
