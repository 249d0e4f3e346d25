import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { JobName } from './jobs.ts';

export type Fetched<T> = Pick<
  JobWithMetadata<T>,
  'id' | 'data' | 'priority' | 'createdOn' | 'retryCount' | 'groupId' | 'singletonKey'
>;

/** Takes what may be begun off the queue, as pg-boss does, without those groups and those keys: that it cannot leave out at a caller's wish. */
export async function fetchJobs<T extends object>(
  boss: PgBoss,
  name: JobName,
  { batchSize, ignoreGroups, ignoreKeys }: { batchSize: number; ignoreGroups: string[]; ignoreKeys: string[] },
): Promise<Fetched<T>[]> {
  if (ignoreKeys.length === 0) return boss.fetch<T>(name, { batchSize, includeMetadata: true, ignoreGroups });
  const { rows } = await boss.getDb().executeSql(FETCH, [name, batchSize, ignoreGroups, ignoreKeys]);
  return rows;
}

const FETCH = `
  with next as (
    select j.id from pgboss.job j
    where j.name = $1 and j.state < 'active' and not j.blocked and j.start_after <= now()
      and (j.group_id is null or j.group_id <> all($3::text[])) and coalesce(j.singleton_key, '') <> all($4::text[])
    order by j.priority desc, j.created_on limit $2 for update skip locked)
  update pgboss.job j set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when started_on is not null then retry_count + 1 else retry_count end
  from next where j.name = $1 and j.id = next.id
  returning j.id, data, priority, created_on as "createdOn", retry_count as "retryCount", group_id as "groupId", singleton_key as "singletonKey"`;
