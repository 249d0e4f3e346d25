import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { resourceTypes, typeId } from '#lib/protocol/fhir/type-ids.ts';

/** Of which types the project has a record. */
export async function typesPresent(projectId: string): Promise<string[]> {
  const ids = new Map(resourceTypes().map((type) => [typeId(type), type]));
  const rows = await db().execute<{ id: number }>(sql`
    select t.id from unnest(${`{${[...ids.keys()].join(',')}}`}::smallint[]) as t(id)
    where exists (select from resource r where r.project_id = ${projectId} and r.type_id = t.id and not r.deleted)`);
  return rows.flatMap(({ id }) => ids.get(id) ?? []);
}
