import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { login, loginCutoff } from '#lib/infra/db/schema/login.ts';
import { scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import { clientTag, loginTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { endOf } from '../bounds/within-bounds.ts';
import type { LoginKey } from './find-login.ts';
import { loadActor } from './load-actor.ts';
import { narrowActor } from './narrow-actor.ts';
import { cachedActor } from './session-cache.ts';
import { isIdle, touchLogin } from './touch-login.ts';

/**
 * Who a login is, as of now: revocation, demotion and deactivation show at once. Throws 401. `quiet`: what is done for it is done by itself, and is
 * no use of it.
 */
export async function actorOfLogin({ projectId, id }: LoginKey, { quiet = false } = {}): Promise<Actor> {
  if (!isUuid(id) || !isUuid(projectId)) throw invalid();
  let known: Date | undefined;
  const actor = await cachedActor(`login:${projectId}/${id}`, async () => {
    const [found] = await db()
      .select({ row: login, endedAt: loginCutoff.at })
      .from(login)
      .leftJoin(loginCutoff, and(eq(loginCutoff.projectId, projectId), eq(loginCutoff.userRef, login.userRef)))
      .where(and(eq(login.projectId, projectId), eq(login.id, id)));
    if (!found) throw invalid();
    const { row, endedAt } = found;
    if (!row.membershipId || row.revoked || !row.granted) throw invalid();
    if (endedAt && row.authTime <= endedAt) throw invalid();
    known = row.lastUsedAt;
    const loaded = await loadActor({
      projectId,
      membershipId: row.membershipId,
      loginId: id,
      clientId: row.clientId ?? undefined,
      scope: row.scope,
      launch: row.launch,
      inPerson: true,
    });
    // Begun while its membership went to another account of theirs (account-merge).
    if (loaded.value.user !== row.userRef) throw invalid();
    if (scopesBeyond(loaded.value.client?.scopes, row.scope).length > 0) throw invalid();
    const client = row.clientId ? [clientTag(row.clientId)] : [];
    const value = untilEnd(narrowActor(loaded.value), row.authTime);
    return { value, tags: [...loaded.tags, loginTag(id), ...client] };
  });
  // A program has no need to be seen: it asks for another token.
  const idleSeconds = actor.user.startsWith('User/') ? actor.bounds.idleSeconds : undefined;
  const key = { projectId, id };
  const lives = quiet ? !(await isIdle(key, idleSeconds, known)) : await touchLogin(key, known, idleSeconds);
  if (!lives) throw invalid();
  return actor;
}

/** A program has its token for as long as that lives. */
function untilEnd(actor: Actor, authTime: Date): Actor {
  const end = actor.user.startsWith('User/') ? endOf(actor.bounds, authTime) : undefined;
  return end === undefined ? actor : { ...actor, until: Math.min(end, actor.until ?? end) };
}

function invalid(): AppError {
  return new AppError('unauthorized', 'Invalid or expired token');
}
