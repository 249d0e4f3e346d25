import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { isUuid, newId } from '#lib/base/ids.ts';
import { SOCKET_PATH } from '#lib/protocol/fhir/socket-path.ts';
import { type Actor, type Ctx, callerOf, requireActor } from '../access/context.ts';
import { mayReach } from '../access/policy.ts';
import { verifyToken } from '../oauth/verify-access-token.ts';
import { readResource } from '../rest/read-resource.ts';
import type { LoginKey } from '../sessions/find-login.ts';
import { signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';
import { readListened } from './read-listened.ts';

/** The peer's client takes another one five minutes before the end. */
const SECONDS = 15 * 60;

export type BindingToken = { token: string; expiresAt: Date; address: string };

/**
 * What a socket shows to be told of one Subscription: for a while, and as long as the login lives that asks. Throws 403 for who calls without one,
 * and who may read nothing of what it is about; 422 for one that is no active websocket.
 */
export async function giveBindingToken(ctx: Ctx, id: string): Promise<BindingToken> {
  const actor = requireActor(ctx);
  const loginId = requireLogin(actor);
  const row = await readResource(ctx, 'Subscription', id);
  const feed = readListened(row);
  if (!feed) throw new AppError('business-rule', 'It is no active Subscription with the channel websocket');
  if (!mayReach(actor, feed.type, 'read')) {
    throw new AppError('forbidden', `Your access policy does not let you read ${feed.type}`);
  }
  const now = Math.floor(Date.now() / 1000);
  const [key] = await signingKeys();
  const { projectId } = actor;
  const claims = { iss: env().BASE_URL, aud: audience(), iat: now, exp: now + SECONDS, jti: newId() };
  const whose = { project: projectId, login_id: loginId, subscription_id: id };
  return {
    token: toJws(key, { ...claims, ...whose }, 'ws-binding+jwt'),
    expiresAt: new Date(claims.exp * 1000),
    address: audience().replace(/^http/, 'ws'),
  };
}

/** The rights of a login are looked at anew each time; others prove themselves with each request, and here is none. */
function requireLogin(actor: Actor): string {
  // Its login is that of whoever runs it, for the audit log.
  if (actor.byBot) throw new AppError('forbidden', 'A bot is run by a Subscription: it does not listen to one');
  if (actor.caller) throw new AppError('forbidden', 'Nobody listens on behalf of another member');
  const { loginId } = callerOf(actor);
  if (loginId) return loginId;
  throw new AppError(
    'forbidden',
    'Sign in to listen: a key, or a secret that is sent with each request, opens no stream',
  );
}

export type Binding = { login: LoginKey; subscriptionId: string; expiresAt: number };

/** Throws 401 for what is no such token of ours, or has expired. */
export async function readBindingToken(token: string): Promise<Binding> {
  const { aud, exp, project, login_id: id, subscription_id: subscriptionId } = await verifyToken(token);
  if (aud === audience() && exp !== undefined && isUuid(project) && isUuid(id) && typeof subscriptionId === 'string')
    return { login: { projectId: project, id }, subscriptionId, expiresAt: exp * 1000 };
  throw new AppError('unauthorized', 'Invalid or expired token');
}

function audience(): string {
  return `${env().BASE_URL}${SOCKET_PATH}`;
}
