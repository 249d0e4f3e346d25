import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { db, transaction } from '../db/client.ts';
import { daysAgo } from '../db/sweep.ts';
import { toTextArray } from '../db/text-array.ts';
import type { FollowMail } from './changed-mail.ts';

type Unsent = { project_id: string; id: string };

/** The last try is a quarter of an hour after the first. */
const LEAST_DAYS = 1;
const MOST = 5000;

/**
 * Mails that nobody will send any more, because their job is gone (its process died in the last try, or the queue was emptied), lose what they
 * were filled with: the link in it is a secret. One that waits for a worker stays, however long.
 */
export async function forgetUnsent(follow: FollowMail): Promise<void> {
  const old = await db().execute<Unsent>(sql`
    select project_id, id from mail where params_sealed is not null and created_at < ${daysAgo(LEAST_DAYS)}::timestamptz
    order by created_at limit ${MOST}`);
  const waiting = await withJob(old.map(({ id }) => id));
  const lost = Map.groupBy(
    old.filter(({ id }) => !waiting.has(id)),
    (mail) => mail.project_id,
  );
  for (const [projectId, mails] of lost) {
    const ids = toTextArray(mails.map(({ id }) => id));
    await transaction(async (tx) => {
      const given = await tx.execute<{ membership_id: string | null }>(sql`
        update mail set params_sealed = null, state = 'failed', error = coalesce(error, 'It was never sent')
        where project_id = ${projectId}::uuid and id = any(${ids}::uuid[]) and params_sealed is not null returning membership_id`);
      for (const { membership_id: membershipId } of given) await follow(tx, { projectId, membershipId });
    });
    log.warn({ projectId, mails: mails.length }, 'mails were never sent, and will not be');
  }
}

async function withJob(ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db().execute<{ id: string }>(sql`
    select data->>'mailId' as id from pgboss.job
    where name = 'mail' and state < 'completed' and data->>'mailId' = any(${toTextArray(ids)}::text[])`);
  return new Set(rows.map(({ id }) => id));
}
