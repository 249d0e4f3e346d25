import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

export function over(): OverRows {
  return {
    registered_client: {
      key: ['project_id', 'client_id'],
      which: (projectId) => sql`not exists (
        select from resource c where c.project_id = ${projectId} and c.type_id = ${typeId('ClientApplication')}
          and c.id = t.client_id::text and not c.deleted)`,
    },
    registration_token: { key: ['project_id', 'id'], which: sql`t.expires_at < now() - interval '30 days'` },
  };
}
