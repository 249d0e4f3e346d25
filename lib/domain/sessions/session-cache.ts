import { AppError } from '#lib/base/errors.ts';
import { createLiveCache, type Loaded } from '#lib/infra/db/live-cache.ts';
import { KEPT, keptOf } from '../access/access-weight.ts';
import type { Actor } from '../access/context.ts';

export type LoadedActor = Loaded<Actor>;

const sessions = createLiveCache<Actor>(20_000, { most: KEPT, sizeOf: ({ policy }) => keptOf(policy) });

/**
 * The actor of a login or client, as it stands now, without a query when nothing has changed. Throws 401 when their membership or session has
 * come to its end meanwhile: that nobody tells, so it is looked at each time.
 */
export async function cachedActor(id: string, load: () => Promise<LoadedActor>): Promise<Actor> {
  const actor = await sessions.get(id, load);
  if (!isIn(actor)) throw new AppError('unauthorized', 'This membership is not active, or its session has ended');
  return actor;
}

/** Whether it is known to be somebody just now. */
export function isCachedActor(id: string): boolean {
  const actor = sessions.peek(id);
  return actor !== undefined && isIn(actor);
}

function isIn({ until }: Actor): boolean {
  return until === undefined || until > Date.now();
}
