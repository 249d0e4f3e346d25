import { AppError } from '#lib/base/errors.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { allows } from '#lib/protocol/clients/bounds.ts';
import { clientTag } from '../access/cache-tags.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { narrowActor } from '../sessions/narrow-actor.ts';
import { cachedActor } from '../sessions/session-cache.ts';
import { findClient } from './find-client.ts';
import { matchSecret } from './match-secret.ts';
import { proveClient } from './prove-client.ts';
import { touchSecret } from './touch-secret.ts';

/**
 * Basic authentication (contract §1.4): the client acts without a stored login. Throws 401, and 429 after many. Cached under the secret's hash,
 * never the secret: who is known to have the right one goes on, whoever else guesses in the same network.
 */
export async function actorOfClient(ctx: Ctx, clientId: string, secret: string): Promise<Actor> {
  const actor = await cachedActor(`basic:${clientId}:${hashSecret(secret)}`, async () => {
    const client = await findClient(clientId);
    const isRight = await proveClient(ctx, client?.membershipId ? client : undefined, [secret]);
    if (!client?.membershipId || !isRight) {
      throw new AppError('unauthorized', 'Invalid client credentials');
    }
    const { projectId, membershipId, id, resource } = client;
    // It has a token of its own by that alone, with each request.
    if (!allows(resource.grantType, 'client_credentials'))
      throw new AppError(
        'unauthorized',
        'This client does not act for itself: its grantType says which grants it uses',
      );
    const scope = resource.allowedScope?.join(' ') || 'openid';
    const loaded = await loadActor({ projectId, membershipId, clientId: id, scope });
    const named = matchSecret(client, secret)?.named;
    const value = { ...narrowActor(loaded.value), ...(named && { secret: { id: named.id, endsAt: named.endsAt } }) };
    return { value, tags: [...loaded.tags, clientTag(id)] };
  });
  if (actor.secret) requireLiveSecret(actor.secret);
  return actor;
}

/** That it has ended nobody tells, so it is looked at each time. */
function requireLiveSecret({ id, endsAt }: NonNullable<Actor['secret']>): void {
  if (endsAt !== null && endsAt <= Date.now()) throw new AppError('unauthorized', 'Invalid client credentials');
  touchSecret(id);
}
