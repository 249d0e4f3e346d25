import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import { isLive } from '../sessions/live-login.ts';

/** A process may hear of its new key a moment later. */
const HEARD_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Drops keys that were retired, and those that another has succeeded for a day when no login is left that began before: no token of theirs
 * can live any more. While one has to stay, the first project that says so ends the search.
 */
export async function sweepSigningKeys(stopped?: AbortSignal): Promise<void> {
  await db().execute(sql`delete from signing_key where not active`);
  const all = await db().select().from(signingKey).orderBy(signingKey.createdAt);
  for (const keys of Map.groupBy(all, ({ alg }) => alg).values()) await sweepKind(keys, stopped);
}

async function sweepKind(keys: (typeof signingKey.$inferSelect)[], stopped: AbortSignal | undefined): Promise<void> {
  for (const [index, { kid }] of keys.entries()) {
    const succeededAt = keys[index + 1]?.createdAt.getTime() ?? Number.POSITIVE_INFINITY;
    if (succeededAt > Date.now() - DAY_MS || (await isNeeded(new Date(succeededAt + HEARD_MS), stopped))) return;
    await db().execute(sql`delete from signing_key where kid = ${kid}`);
    log.info({ kid }, 'a signing key of which no token lives is gone');
  }
}

async function isNeeded(until: Date, stopped: AbortSignal | undefined): Promise<boolean> {
  for await (const projectId of projectsIn('login', stopped)) {
    const [first] = await db().execute(sql`
      select 1 from login l where l.project_id = ${projectId} and l.auth_time < ${until.toISOString()}::timestamptz
        and ${isLive(projectId)} limit 1`);
    if (first) return true;
  }
  return stopped?.aborted === true;
}
