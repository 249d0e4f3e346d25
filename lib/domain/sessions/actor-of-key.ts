import { AppError } from '#lib/base/errors.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { keyTag } from '../access/cache-tags.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { findKey } from '../api-keys/key-rows.ts';
import { readKey } from '../api-keys/key-token.ts';
import { touchKey } from '../api-keys/touch-key.ts';
import { attemptSecret } from '../limits/attempt-secret.ts';
import { networkOf } from '../limits/network-of.ts';
import { loadActor } from './load-actor.ts';
import { narrowActor } from './narrow-actor.ts';
import { cachedActor } from './session-cache.ts';

/** Wrong ones in 15 minutes from one network: a lock that nobody can close for others. */
const MOST_WRONG = 60;

/**
 * A person by one of their keys, as of now, with what its scopes leave of their rights: never the administration, and never the account. Throws
 * 401 for a key that was ended or has expired, of a member who is not active, and where the project has no keys; 429 after many wrong ones.
 */
export async function actorOfKey({ remoteAddress }: Ctx, token: string): Promise<Actor> {
  const name = readKey(token);
  if (!name) throw invalid();
  const { projectId, id } = name;
  const actor = await cachedActor(`key:${hashSecret(token)}`, async () => {
    const found = await findKey(projectId, id);
    const attempt = { key: `key:${networkOf(remoteAddress)}`, limit: MOST_WRONG };
    const isRight = await attemptSecret(attempt, () => secretMatches(token, found?.secretHash));
    if (!found || !isRight) throw invalid();
    const { membershipId, scope, expiresAt } = found;
    const { value, tags } = await loadActor({ projectId, membershipId, scope });
    // As of a login (actor-of-login.ts).
    if (value.user !== found.userRef) throw invalid();
    if (!value.mayHaveKeys) throw invalid();
    const narrowed = narrowActor(value);
    // A key is never without scopes for resources; were one, it would be good for nothing.
    if (!narrowed.policy.scope) throw invalid();
    return { value: { ...narrowed, key: { id, endsAt: expiresAt.getTime() } }, tags: [...tags, keyTag(id)] };
  });
  // That it has ended nobody tells, so it is looked at each time.
  if (!actor.key || actor.key.endsAt <= Date.now()) throw invalid();
  touchKey(projectId, id);
  return actor;
}

function invalid(): AppError {
  return new AppError('unauthorized', 'Invalid or expired token');
}
