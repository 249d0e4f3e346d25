import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { login, loginCutoff } from '#lib/infra/db/schema/identity.ts';
import { clientTag, loginTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { loadActor } from './load-actor.ts';
import { cachedActor } from './session-cache.ts';
import { touchLogin } from './touch-login.ts';

/** Who a login is, as of now: revocation, demotion and deactivation show at once. Throws 401. */
export async function actorOfLogin(loginId: string): Promise<Actor> {
  if (!isUuid(loginId)) throw invalid();
  let known: Date | undefined;
  const actor = await cachedActor(`login:${loginId}`, async () => {
    const [found] = await db()
      .select({ row: login, endedAt: loginCutoff.at })
      .from(login)
      .leftJoin(loginCutoff, eq(loginCutoff.userRef, login.userRef))
      .where(eq(login.id, loginId));
    if (!found) throw invalid();
    const { row, endedAt } = found;
    if (!row.projectId || !row.membershipId || row.revoked || !row.granted) throw invalid();
    if (endedAt && row.authTime <= endedAt) throw invalid();
    known = row.lastUsedAt;
    const loaded = await loadActor({
      projectId: row.projectId,
      membershipId: row.membershipId,
      loginId,
      clientId: row.clientId ?? undefined,
      scope: row.scope,
    });
    const client = row.clientId ? [clientTag(row.clientId)] : [];
    return { value: loaded.value, tags: [...loaded.tags, loginTag(loginId), ...client] };
  });
  touchLogin(loginId, known);
  return actor;
}

function invalid(): AppError {
  return new AppError('unauthorized', 'Invalid or expired token');
}
