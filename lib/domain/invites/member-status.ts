import { type SQL, sql } from 'drizzle-orm';
import { MEMBER_STATUSES, type MemberStatusName } from '#lib/protocol/answers/member-status.ts';
import { badParameter, splitValues } from '#lib/protocol/fhir/search/values.ts';
import { STATUS_NOW } from '../standing/invite-status.ts';

/** Of a row `k` of membership_key: a MemberStatusName. */
export const MEMBER_STATUS: SQL = sql`
  case when not k.active then 'deactivated' else case ${STATUS_NOW}
    when 'pending' then 'invited' when 'expired' then 'invite-expired' when 'failed' then 'mail-failed' else 'active' end end`;
/** The same, each as an index tells it. Who was stopped has no invitation that is open or over. */
const ROWS: Record<MemberStatusName, SQL> = {
  active: sql`k.active and k.invite_status in ('none', 'accepted')`,
  invited: sql`k.invited_at is not null and k.invite_status = 'pending' and k.invite_ends > now()`,
  'invite-expired': sql`k.invited_at is not null and k.invite_status = 'expired' or k.invite_ends <= now()`,
  'mail-failed': sql`k.invited_at is not null and k.invite_status = 'failed' and k.invite_ends > now()`,
  deactivated: sql`not k.active`,
};

type Params = readonly (readonly [string, string])[];
export type SplitSearch = { params: Params; status: Params; also?: SQL };

/**
 * Our own parameter `status` of a search for ProjectMembership, apart from those of FHIR: it changes with time and mail, and so is no
 * index. `also`: what the rows `r` must fulfil besides; nothing has a status that is none. Throws 400 for a modifier.
 */
export function splitStatus(projectId: string, type: string, params: Params): SplitSearch {
  const status = type === 'ProjectMembership' ? params.filter(([name]) => /^status(:|$)/.test(name)) : [];
  if (status.length === 0) return { params, status };
  const wanted = status.map(([name, value]) => {
    if (name !== 'status') throw badParameter(name, 'status takes no modifier');
    return splitValues(name, value).map((words) => words.join('|'));
  });
  // Several parameters must all hold.
  const words = MEMBER_STATUSES.filter((word) => wanted.every((any) => any.includes(word)));
  const any =
    words.length === 0
      ? sql`false`
      : sql.join(
          words.map((word) => sql`(${ROWS[word]})`),
          sql.raw(' or '),
        );
  const also = sql`r.id in (select k.membership_id::text from membership_key k where k.project_id = ${projectId} and (${any}))`;
  return { params: params.filter((param) => !status.includes(param)), status, also };
}
