import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { readAllowedMethods, readRequirement } from '#lib/protocol/factors/settings.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';

export type FactorRules = {
  allowed: FactorMethod[];
  /** For this membership. */
  isRequired: boolean;
};

/** What a project's settings say of second factors. Of none, and without a project, an authenticator may be enrolled and nothing must. */
export async function findFactorRules(
  q: Queryable,
  projectId: string | undefined,
  membershipId?: string,
): Promise<FactorRules> {
  if (projectId === undefined) return { allowed: readAllowedMethods([]), isRequired: false };
  const [row] = await q.execute<{ setting: Project['setting'] | null; admin: boolean | null }>(sql`
    select p.content->'setting' as setting, (select k.admin from membership_key k
      where k.project_id = ${projectId} and k.membership_id = ${membershipId ?? null}::uuid) as admin
    from resource p
    where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
  const setting = row?.setting ?? [];
  const required = readRequirement(setting);
  const isRequired =
    membershipId !== undefined && (required === 'everyone' || (required === 'admins' && row?.admin === true));
  return { allowed: readAllowedMethods(setting), isRequired };
}
