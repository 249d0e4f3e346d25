import { createLiveCache, type Loaded } from '#lib/infra/db/live-cache.ts';
import type { Actor } from '../access/context.ts';

export type LoadedActor = Loaded<Actor>;

const sessions = createLiveCache<Actor>(20_000);

/** The actor of a login or client, as it stands now, without a query when nothing has changed. */
export function cachedActor(id: string, load: () => Promise<LoadedActor>): Promise<Actor> {
  return sessions.get(id, load);
}

/** Whether it is known to be somebody just now. */
export function isCachedActor(id: string): boolean {
  return sessions.has(id);
}
