import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { DEEPEST } from '../access/lineage.ts';
import { addUp } from './member-kinds.ts';
import type { MemberSum } from './sum-members.ts';

const MEMBERSHIP = sql.raw(String(typeId('ProjectMembership')));
const POLICY = sql.raw(String(typeId('AccessPolicy')));

/** References to policies that a row `k` of membership_key names, but for emergency access, or that such a one is based on, and the project does not have, in the column `n.policy`: as a source of rows. */
export function policiesLackedBy(projectId: string): SQL {
  const idOf = (reference: SQL) => sql`substr(${reference}, ${sql.raw(String('AccessPolicy/'.length + 1))})`;
  return sql`(with recursive x (reference, depth) as (
      select y.reference, 0 from resource m
      cross join lateral (
        select m.content->'accessPolicy'->>'reference' as reference
        union all select e->'policy'->>'reference' from jsonb_array_elements(coalesce(m.content->'access', '[]')) as e
          where coalesce(e->>'id', '') not like 'break-glass-%') as y
      where m.project_id = ${projectId} and m.type_id = ${MEMBERSHIP} and m.id = k.membership_id::text and not m.deleted
        and y.reference is not null
      union select b->>'reference', x.depth + 1 from x
      join resource p on p.project_id = ${projectId} and p.type_id = ${POLICY} and p.id = ${idOf(sql`x.reference`)} and not p.deleted
      cross join lateral jsonb_array_elements(p.content->'basedOn') as b
      where x.depth < ${sql.raw(String(DEEPEST))} and b->>'reference' is not null)
    select distinct x.reference as policy from x where not exists (
      select 1 from resource a where a.project_id = ${projectId} and a.type_id = ${POLICY}
        and a.id = ${idOf(sql`x.reference`)} and not a.deleted)) as n`;
}

/** Of so many members each whom policies limit is looked at; of more, those that the hourly sweep has found. */
const FEW = 200;

/** Which rows `k` of membership_key may name a policy that is gone. */
export function suspectsOf(sums: readonly MemberSum[]): SQL {
  return addUp(sums, () => true) > FEW ? sql`k.policy_gone` : sql`k.limited`;
}

/** Notes who names a policy that something took away which went round the rules, and who does no longer. Returns how many. */
export async function markGonePolicies(projectId: string): Promise<number> {
  const changed = await db().execute(sql`
    update membership_key k set policy_gone = not k.policy_gone
    where k.project_id = ${projectId} and (k.limited or k.policy_gone)
      and k.policy_gone <> exists (select 1 from ${policiesLackedBy(projectId)}) returning 1`);
  return changed.length;
}
