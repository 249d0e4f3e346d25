import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { listenedTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findPlaceFault } from '../bounds/within-bounds.ts';
import { actorOfLogin } from '../sessions/actor-of-login.ts';
import { asksHidden } from '../store/feeds/asks-hidden.ts';
import { findHolder } from '../store/feeds/listening.ts';
import { findRow } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';
import { isWithin } from '../store/within-reach.ts';
import type { Binding } from './binding-token.ts';
import { readListened } from './read-listened.ts';

type Known = { row: Row | undefined; holder: string | undefined };

const known = createLiveCache<Known>(20_000);

export type Listener = { actor: Actor; feed: string };

/** From where, asked as of a request; and by which socket, once that listens: one does, of all. */
export type ListenerPlace = { remoteAddress: string; origin: string | undefined; socketId?: string };

/**
 * Who listens, with their rights at this moment, and to what. Undefined when they may not any more: the login, the membership or the token has
 * ended, or the Subscription. Nothing is asked of the database while nothing of that has changed.
 */
export async function findListener(
  { login, subscriptionId, expiresAt }: Binding,
  place: ListenerPlace,
): Promise<Listener | undefined> {
  if (expiresAt <= Date.now()) return undefined;
  const { projectId } = login;
  const actor = await actorOfLogin(login, { quiet: true }).catch(ended);
  if (!actor || findPlaceFault(actor, place)) return undefined;
  const { row, holder } = await known.get(`${projectId}/${subscriptionId}`, async () => ({
    value: {
      row: await findRow(projectId, 'Subscription', subscriptionId),
      holder: await findHolder(projectId, subscriptionId, db()),
    },
    tags: [listenedTag(subscriptionId)],
  }));
  if (place.socketId !== undefined && place.socketId !== holder) return undefined;
  const feed = row && readListened(row);
  if (!feed || !mayReach(actor, 'Subscription', 'read') || !mayReach(actor, feed.type, 'read')) return undefined;
  if (!(await isWithin(reach(actor, 'Subscription', 'read'), row))) return undefined;
  return asksHidden(actor, row) ? undefined : { actor, feed: feed.endpoint };
}

function ended(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unauthorized') return undefined;
  throw error;
}
