import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { isOfRecord } from './compartment.ts';
import type { Whose } from './find-record.ts';

/** Memberships on these records ("Patient/id"), also such as are not active: any of them would stand on nothing. */
export async function findMembersOn(
  q: Queryable,
  projectId: string,
  records: readonly string[],
): Promise<{ id: string; profile: string }[]> {
  return q.execute<{ id: string; profile: string }>(sql`
    select k.membership_id::text as id, k.profile_ref as profile from membership_key k
    where k.project_id = ${projectId}::uuid and k.profile_ref = any(${toTextArray(records)}::text[]) order by k.membership_id limit 20`);
}

/** Why a record cannot be erased yet: somebody signs in as the patient, or as somebody of whom it tells. */
export async function findAgainst(q: Queryable, { projectId, patientId }: Whose): Promise<string[]> {
  const relatives = await q.execute<{ id: string }>(sql`
    select r.id from resource r where ${isOfRecord({ projectId, patientId, type: 'RelatedPerson' })}`);
  const records = [`Patient/${patientId}`, ...relatives.map(({ id }) => `RelatedPerson/${id}`)];
  const members = await findMembersOn(q, projectId, records);
  return members.map(
    ({ id, profile }) =>
      `ProjectMembership/${id} stands on ${profile}: remove that member first, and have their account erased if it is to go too`,
  );
}
