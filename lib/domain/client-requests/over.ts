import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** What a client has asked goes with it. */
export function over(): OverRows {
  const which = (projectId: string) => sql`not exists (
    select from resource c where c.project_id = ${projectId} and c.type_id = ${typeId('ClientApplication')}
      and c.id = t.client_id::text and not c.deleted)`;
  return {
    client_request: { key: ['project_id', 'client_id', 'slot'], which },
    client_traffic: { key: ['project_id', 'client_id'], which },
  };
}
