import { AppError } from '#lib/base/errors.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { clientTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { cachedActor } from '../sessions/session-cache.ts';
import { clientSecretMatches } from './client-secret-matches.ts';
import { findClient } from './find-client.ts';

/** Basic authentication (contract §1.4): the client acts without a stored login. Throws 401. Cached under the secret's hash, never the secret. */
export async function actorOfClient(clientId: string, secret: string): Promise<Actor> {
  return cachedActor(`basic:${clientId}:${hashSecret(secret)}`, async () => {
    const client = await findClient(clientId);
    if (!client?.membershipId || !clientSecretMatches(client, secret)) {
      throw new AppError('unauthorized', 'Invalid client credentials');
    }
    const { projectId, membershipId, id } = client;
    const loaded = await loadActor({ projectId, membershipId, clientId: id, scope: 'openid' });
    return { value: loaded.value, tags: [...loaded.tags, clientTag(id)] };
  });
}
