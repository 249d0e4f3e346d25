import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { scimConnection, scimToken } from '#lib/infra/db/schema/scim.ts';
import { clientTag, scimTag } from '../access/cache-tags.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { attemptSecret } from '../limits/attempt-secret.ts';
import { networkOf } from '../limits/network-of.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { cachedActor } from '../sessions/session-cache.ts';
import { readToken } from './scim-token.ts';

/** Wrong ones in 15 minutes from one network: a lock that nobody can close for others. */
const MOST_WRONG = 60;

/** The connection that a token belongs to, as of now: a token that was taken back is none at once. Throws 401, and 429 after many wrong ones. */
export function actorOfToken({ remoteAddress }: Ctx, token: string): Promise<Actor> {
  const name = readToken(token);
  if (!name) throw invalid();
  return cachedActor(`scim:${hashSecret(token)}`, async () => {
    const found = await find(name.projectId, name.id);
    const key = `scim:${networkOf(remoteAddress)}`;
    const isRight = await attemptSecret({ key, limit: MOST_WRONG }, () => secretMatches(token, found?.secretHash));
    if (!found || !isRight) throw invalid();
    const { projectId, membershipId, clientId, connectionId, sendEmail } = found;
    const { value, tags } = await loadActor({ projectId, membershipId, clientId, scope: 'openid' });
    return {
      value: { ...value, scim: { connectionId, tokenId: name.id, sendEmail } },
      tags: [...tags, clientTag(clientId), scimTag(connectionId)],
    };
  });
}

async function find(projectId: string, id: string) {
  const [row] = await db()
    .select({
      projectId: scimToken.projectId,
      secretHash: scimToken.secretHash,
      connectionId: scimConnection.id,
      clientId: scimConnection.clientId,
      membershipId: scimConnection.membershipId,
      sendEmail: scimConnection.sendEmail,
    })
    .from(scimToken)
    .innerJoin(
      scimConnection,
      and(eq(scimConnection.projectId, projectId), eq(scimConnection.id, scimToken.connectionId)),
    )
    .where(and(eq(scimToken.projectId, projectId), eq(scimToken.id, id)));
  return row;
}

function invalid(): AppError {
  return new AppError('unauthorized', 'Invalid token');
}
