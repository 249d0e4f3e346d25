import { clientTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { cachedActor } from '../sessions/session-cache.ts';
import type { LiveClient } from './live-client.ts';

/** The client itself, once it has shown who it is. Throws 401 when its membership or project is not active. */
export function actorOfLiveClient({ id: clientId, projectId, membershipId }: LiveClient): Promise<Actor> {
  return cachedActor(`grant:${clientId}`, async () => {
    const loaded = await loadActor({ projectId, membershipId, clientId, scope: 'openid' });
    return { value: loaded.value, tags: [...loaded.tags, clientTag(clientId)] };
  });
}
