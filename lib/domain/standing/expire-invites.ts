import { db, runText } from '#lib/infra/db/client.ts';
import { COUNTED_COLUMNS, counted } from './counted.ts';

const BATCH = 5000;
const EXPIRE = `
  with o as (
    select membership_id, invite_status as was from membership_key where project_id = $1::uuid and invite_ends <= now()
    order by membership_id limit ${BATCH} for no key update skip locked),
  k as (
    update membership_key k set invite_status = 'expired', invite_ends = null
    from o where k.project_id = $1::uuid and k.membership_id = o.membership_id returning k.*, o.was),
  c as (${counted(`select ${COUNTED_COLUMNS}, 1 as n from k
    union all select project_id, profile_ref, active, admin, was, limited, -1 from k`)})
  select count(*)::int as expired from k`;

/** Notes that invitations have expired. Until then every reader tells it by `invite_ends`: so that those are few. */
export async function expireInvites(projectId: string): Promise<void> {
  for (let last = BATCH; last === BATCH; ) {
    const [done] = await runText<{ expired: number }>(db(), EXPIRE, [projectId]);
    last = done?.expired ?? 0;
  }
}
