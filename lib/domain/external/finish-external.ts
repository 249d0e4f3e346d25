import { timingSafeEqual } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '../access/context.ts';
import { takeRoom } from '../limits/throttle.ts';
import { redeemAtProvider } from '../providers/ask-provider.ts';
import { isOfProject } from '../providers/provider.ts';
import { isTwoFactors } from '../providers/told-strength.ts';
import { verifyIdentity } from '../providers/verify-identity.ts';
import { createLogin, projectOfRequest } from '../sign-in/create-login.ts';
import { findKnownPerson } from './find-known-person.ts';
import {
  callbackOf,
  openWaiting,
  requireItsProject,
  requireProviderOf,
  WAITING_SECONDS,
  type Waiting,
} from './start-external.ts';

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
  const waiting = await takeWaiting(params, kept, ownClient);
  const provider = await requireProviderOf(waiting);
  // RFC 9207 §2.4: who says from whom it is must say it right.
  const issuer = params.get('iss');
  if (issuer !== null && issuer !== provider.settings.issuer) throw notAwaited();
  const code = params.get('code');
  if (params.has('error') || !code) throw new AppError('invalid', 'The identity provider did not sign you in');
  const { nonce, verifier, request } = waiting;
  const told = await redeemAtProvider(provider, { code, redirectUri: callbackOf(ownClient), verifier });
  const identity = await verifyIdentity(provider, told, nonce);
  const projectId = requireItsProject(provider, await projectOfRequest(ctx, request));
  const limits = { projectId, profileType: request.resourceType };
  const { userId, choices, isAbove } = await findKnownPerson(ctx, provider, identity, limits);
  const [only] = choices.length === 1 ? choices : [];
  const chosen = only && { projectId: only.projectId, membershipId: only.id };
  // The app shows no address when it redeems this: the challenge binds the code.
  const fields = { ...request, projectId, redirectUri: undefined };
  const { login, code: own } = await createLogin(ctx, userId, fields, {
    chosen,
    authMethod: 'external',
    factorAt: isTwoFactors(provider.settings, identity.strength) ? new Date() : null,
    withinProject: isOfProject(provider) && isAbove,
    action: 'login.external',
  });
  const url = new URL(request.redirectUri ?? `${env().BASE_URL}/signin`);
  url.searchParams.set('login', login);
  if (own !== undefined) url.searchParams.set('code', own);
  return url.href;
}

async function takeWaiting(
  params: URLSearchParams,
  kept: string | undefined,
  ownClient: string | undefined,
): Promise<Waiting> {
  const waiting = openWaiting(kept);
  const [state = '', second] = params.getAll('state');
  if (!waiting || second !== undefined || params.getAll('code').length > 1) throw notAwaited();
  if (!isSame(state, waiting.state) || waiting.ownClient !== ownClient) throw notAwaited();
  const { count } = await takeRoom(`external:${state}`, WAITING_SECONDS, 1);
  if (count > 1) throw notAwaited();
  return waiting;
}

function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function notAwaited(): AppError {
  return new AppError('invalid', 'This browser does not wait for this answer (any more): sign in again');
}
