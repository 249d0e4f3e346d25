import { type SQL, sql } from 'drizzle-orm';
import type { MemberStatusName } from '#lib/protocol/answers/member-status.ts';
import type { FACTOR_FILTERS } from '#lib/protocol/factors/answers.ts';
import { badParameter, splitValues } from '#lib/protocol/fhir/search/values.ts';
import { NOT_ENDED } from '../standing/in-time.ts';
import { STATUS_NOW } from '../standing/invite-status.ts';
import { HAS_PASSKEY } from '../standing/sum-held.ts';

/** Of a row `k` of membership_key: a MemberStatusName. */
export const MEMBER_STATUS: SQL = sql`
  case when not k.active then 'deactivated' when k.not_after <= now() then 'ended' else case ${STATUS_NOW}
    when 'pending' then 'invited' when 'expired' then 'invite-expired' when 'failed' then 'mail-failed'
    else case when k.not_before > now() then 'away' else 'active' end end end`;

/** The same, each as an index tells it. Who was stopped has no invitation that is open or over. */
const ROWS: Record<MemberStatusName, SQL> = {
  active: sql`k.active and k.invite_status in ('none', 'accepted') and ${NOT_ENDED} and (k.not_before is null or k.not_before <= now())`,
  invited: sql`k.invited_at is not null and k.invite_status = 'pending' and k.invite_ends > now() and ${NOT_ENDED}`,
  'invite-expired': sql`(k.invited_at is not null and k.invite_status = 'expired' or k.invite_ends <= now()) and k.active and ${NOT_ENDED}`,
  'mail-failed': sql`k.invited_at is not null and k.invite_status = 'failed' and k.invite_ends > now() and ${NOT_ENDED}`,
  away: sql`k.active and k.invite_status in ('none', 'accepted') and k.not_before > now() and ${NOT_ENDED}`,
  ended: sql`k.active and k.not_after <= now()`,
  deactivated: sql`not k.active`,
};

const HELD: Record<(typeof FACTOR_FILTERS)[number], SQL> = {
  none: sql`k.factors = '' and k.user_ref like 'User/%'`,
  any: sql`k.factors > ''`,
  passkey: HAS_PASSKEY,
};

type Params = readonly (readonly [string, string])[];
export type SplitSearch = { params: Params; own: Params; also?: SQL };

const OWN: Record<string, Record<string, SQL>> = { status: ROWS, factor: HELD };

/**
 * Our own parameters of a search for ProjectMembership, apart from those of FHIR: `status`, which changes with time and mail, and `factor`,
 * what the person has beside a password. Neither is in the resource, and so in its index. `also`: what the rows `r` must fulfil besides;
 * nothing has a status that is none. Throws 400 for a modifier.
 */
export function splitOwn(projectId: string, type: string, params: Params): SplitSearch {
  const nameOf = (name: string) => name.split(':')[0] ?? '';
  const own = type === 'ProjectMembership' ? params.filter(([name]) => Object.hasOwn(OWN, nameOf(name))) : [];
  if (own.length === 0) return { params, own };
  // Several parameters must all hold.
  const all = own.map(([name, value]) => {
    const words = OWN[name];
    if (!words) throw badParameter(name, `${nameOf(name)} takes no modifier`);
    const known = splitValues(name, value).flatMap((parts) => words[parts.join('|')] ?? []);
    return known.length === 0 ? sql`false` : sql`(${sql.join(known.map(one), sql.raw(' or '))})`;
  });
  const also = sql`r.id in (select k.membership_id::text from membership_key k where k.project_id = ${projectId} and ${sql.join(all, sql.raw(' and '))})`;
  return { params: params.filter((param) => !own.includes(param)), own, also };
}

function one(which: SQL): SQL {
  return sql`(${which})`;
}
