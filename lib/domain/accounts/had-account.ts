import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** Whether an account of the project had this address and was deleted. What it was is told by its history alone. */
export async function hadAccount(q: Queryable, projectId: string, email: string): Promise<boolean> {
  const type = typeId('User');
  const [found] = await q.execute(sql`
    select 1 from resource r
    join resource_history h on h.project_id = ${projectId} and h.type_id = ${type} and h.id = r.id and h.version = r.version - 1
    where r.project_id = ${projectId} and r.type_id = ${type} and r.deleted and h.content::jsonb->>'email' = ${email} limit 1`);
  return found !== undefined;
}
