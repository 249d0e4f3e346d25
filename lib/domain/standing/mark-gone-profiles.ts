import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

const TYPES = ['Patient', 'Practitioner', 'RelatedPerson'];

const TYPE_OF_PROFILE = sql.raw(
  `case ${TYPES.map((type) => `when split_part(k.profile_ref, '/', 1) = '${type}' then ${typeId(type)}::smallint`).join(' ')} end`,
);

/** Of a row `k` of membership_key that is a person's: whether there is the record that they stand on. */
export function hasProfile(projectId: string): SQL {
  return sql`exists (select 1 from resource p where p.project_id = ${projectId}
    and p.type_id = (${TYPE_OF_PROFILE}) and p.id = split_part(k.profile_ref, '/', 2) and not p.deleted)`;
}

/** Notes whose profile was taken away by something that went round the rules, and whose is back. Returns how many. */
export async function markGoneProfiles(projectId: string): Promise<number> {
  const changed = await db().execute(sql`
    update membership_key k set profile_gone = not k.profile_gone
    where k.project_id = ${projectId} and k.user_ref like 'User/%' and k.profile_gone = ${hasProfile(projectId)} returning 1`);
  return changed.length;
}
