import { type SQL, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { transaction } from './client.ts';
import { tryLockName } from './lock-name.ts';

const BATCH = 5000;

/**
 * Drops what has served its time: answers of Idempotency-Keys after a day, counters whose window is over, results of jobs after thirty
 * days, links after ninety, logins thirty days after their end, and all but the newest 500 of the development mailbox. In small
 * transactions; of several instances at once one does it.
 */
export async function sweep(): Promise<void> {
  for (const [name, which] of Object.entries(OVER)) {
    let dropped = 0;
    for (let last = BATCH; last === BATCH; dropped += last) last = await dropSome(name, which);
    if (dropped > 0) log.info({ table: name, rows: dropped }, 'swept');
  }
}

function dropSome(name: string, which: SQL): Promise<number> {
  return transaction(async (tx) => {
    if (!(await tryLockName(tx, 'sweep'))) return 0;
    const table = sql.identifier(name);
    const gone = await tx.execute(sql`
      delete from ${table} where ctid = any(array(select t.ctid from ${table} t where ${which} limit ${BATCH})) returning 1`);
    return gone.length;
  });
}

/** A client's own token lifetime (`15m`, `2w`) as an interval; one that makes no sense never ends. */
const lifetime = (name: string) => sql`(case
  when c.content->>${name} ~ '^[0-9]{1,5}[smhdwy]$' then (c.content->>${name})::interval
  when c.content ? ${name} then interval '1000 years' end)`;

/** By table: which of its rows `t` are over. */
const OVER: Record<string, SQL> = {
  idempotency_key: sql`t.created_at < now() - interval '1 day'`,
  rate_counter: sql`t.reset_at < now()`,
  async_job: sql`t.finished_at < now() - interval '30 days'`,
  dev_mail: sql`t.at < (select at from dev_mail order by at desc offset 499 limit 1)`,
  // What a membership was invited by is told as long as it stands.
  one_time_link: sql`least(t.used_at, t.superseded_at, t.expires_at) < now() - interval '90 days' and not (t.kind = 'invite'
    and exists (select 1 from membership_key k where k.project_id = t.project_id and k.membership_id = t.membership_id))`,
  // Sessions and refresh tokens live for two weeks, unless a client says otherwise. The newest tells when a member was last here.
  login: sql`t.last_used_at < now() - interval '30 days'
    and (t.revoked or t.last_used_at < now() - interval '30 days' - coalesce((
      select greatest(interval '14 days', ${lifetime('accessTokenLifetime')}, ${lifetime('refreshTokenLifetime')}) from resource c
      where c.project_id = t.project_id and c.type_id = ${sql.raw(String(typeId('ClientApplication')))} and c.id = t.client_id and not c.deleted), interval '14 days'))
    and exists (select 1 from login n where n.user_ref = t.user_ref and n.membership_id is not distinct from t.membership_id
      and (n.last_used_at, n.id) > (t.last_used_at, t.id))`,
};
