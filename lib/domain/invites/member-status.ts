import { type SQL, sql } from 'drizzle-orm';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { MEMBER_STATUSES } from '#lib/protocol/answers/member-status.ts';
import { badParameter, splitValues } from '#lib/protocol/fhir/search/values.ts';
import { invites } from './find-invites.ts';

/** Every membership of the project (or these) with its `status`, a MemberStatusName. */
export function memberStatuses(projectId: string, membershipIds?: readonly string[]): SQL {
  const some = membershipIds ? sql`and k.membership_id = any(${toTextArray(membershipIds)}::uuid[])` : sql``;
  return sql`
    select k.membership_id, case when not k.active then 'deactivated' else case i.status
      when 'pending' then 'invited' when 'expired' then 'invite-expired' when 'failed' then 'mail-failed' else 'active' end end as status
    from membership_key k
    left join (${invites(projectId, { membershipIds })}) i on i.membership_id = k.membership_id
    where k.project_id = ${projectId} ${some}`;
}

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
  const also = sql`r.id in (select s.membership_id::text from (${memberStatuses(projectId)}) s where s.status = any(${toTextArray(words)}::text[]))`;
  return { params: params.filter((param) => !status.includes(param)), status, also };
}
