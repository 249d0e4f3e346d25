import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { MOST_WAIT_SECONDS, RECOVERY_WAIT, readWaitMs } from '#lib/protocol/account-changes/wait.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';

type Before = { value: string; replacedAt: string };

/**
 * How long what an administrator changes of an account waits, in milliseconds: as the settings say, and one that was shortened or taken out goes
 * on for as long as it said itself. Otherwise whom it holds up would shorten it, change the account, and put it back.
 */
export async function waitInForce(
  q: Queryable,
  projectId: string,
  settings: readonly ProjectSetting[],
): Promise<number> {
  const before = await q.execute<Before>(sql`
    select value, max(replaced_at) as "replacedAt" from (
      select lead(h.last_updated) over (order by h.version) as replaced_at,
        (select s->>'valueString' from jsonb_array_elements(h.content::jsonb->'setting') s where s->>'name' = ${RECOVERY_WAIT} limit 1) as value
      from resource_history h where h.project_id = ${projectId} and h.type_id = ${typeId('Project')} and h.id = ${projectId} and h.content is not null
    ) v where value is not null and replaced_at > ${new Date(Date.now() - MOST_WAIT_SECONDS * 1000).toISOString()}::timestamptz group by value`);
  const still = before
    .map(({ value, replacedAt }) => ({ ms: readWaitMs([{ name: RECOVERY_WAIT, valueString: value }]), replacedAt }))
    .filter(({ ms, replacedAt }) => new Date(replacedAt).getTime() + ms > Date.now());
  return Math.max(readWaitMs(settings), ...still.map(({ ms }) => ms));
}
