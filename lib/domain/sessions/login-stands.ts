import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import { isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { clientTag, loginTag, membershipTag, projectTag } from '../access/cache-tags.ts';
import type { LoginKey } from './find-login.ts';
import { isCachedActor } from './session-cache.ts';

type Standing = {
  membership_id: string;
  client_id: string | null;
  refresh_hash: string | null;
  scope: string;
  allowed: string[] | null;
  stands: boolean;
  not_before: string | null;
  not_after: string | null;
};

const known = createLiveCache<Standing | undefined>(20_000);

/** Whether a token of this login would be let in just now, for who asks and does not act: one statement, none while nothing changes. */
export async function loginStands(key: LoginKey): Promise<boolean> {
  const name = `login:${key.projectId}/${key.id}`;
  if (isCachedActor(name)) return true;
  const standing = await known.get(name, async () => {
    const found = await findStanding(key);
    const tags: [string, ...string[]] = [loginTag(key.id), projectTag(key.projectId)];
    if (found) tags.push(membershipTag(found.membership_id));
    if (found?.client_id) tags.push(clientTag(found.client_id));
    return { value: found, tags };
  });
  return isGood(standing);
}

/** The hash of the refresh secret that is good just now; undefined when the login does not stand, or has none. */
export async function findRefreshHash(key: LoginKey): Promise<string | undefined> {
  const found = await findStanding(key);
  return found && isGood(found) ? (found.refresh_hash ?? undefined) : undefined;
}

/** That its dates have come nobody tells. */
function isGood(found: Standing | undefined): boolean {
  if (!found?.stands || scopesBeyond(found.allowed ?? [], found.scope).length > 0) return false;
  const [from, until] = [found.not_before, found.not_after].map((at) => (at === null ? undefined : Date.parse(at)));
  return isInTime({ from, until });
}

async function findStanding({ projectId, id }: LoginKey): Promise<Standing | undefined> {
  const [found] = await db().execute<Standing>(sql`
    select l.membership_id, l.client_id, l.refresh_hash, l.scope, c.content->'allowedScope' as allowed, k.not_before, k.not_after, l.granted and not l.revoked and k.active and not p.deleted
      and coalesce((p.content->>'active')::boolean, true)
      and not exists (select from login_cutoff c where c.project_id = ${projectId} and c.user_ref = l.user_ref and l.auth_time <= c.at)
      as stands
    from login l
    join membership_key k on k.project_id = ${projectId} and k.membership_id = l.membership_id
    join resource p on p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId}
    left join resource c on c.project_id = ${projectId} and c.type_id = ${typeId('ClientApplication')} and c.id = l.client_id::text and not c.deleted
    where l.project_id = ${projectId} and l.id = ${id}`);
  return found;
}
