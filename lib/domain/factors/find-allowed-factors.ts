import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { readAllowedMethods } from '#lib/protocol/factors/settings.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectSetting } from '#lib/protocol/fhir/types.ts';

/** Which second factors a project lets its people enrol. Of one that says nothing: an authenticator. */
export async function findAllowedFactors(q: Queryable, projectId: string): Promise<FactorMethod[]> {
  const [row] = await q.execute<{ setting: ProjectSetting[] | null }>(sql`
    select p.content->'setting' as setting from resource p
    where p.project_id = ${projectId} and p.type_id = ${typeId('Project')} and p.id = ${projectId} and not p.deleted`);
  return readAllowedMethods(row?.setting ?? []);
}
