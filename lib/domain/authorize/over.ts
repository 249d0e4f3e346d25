import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** What was agreed to goes with the membership, or with the app; what was sent beforehand, when its time is over. */
export function over(): OverRows {
  return {
    consent: {
      key: ['project_id', 'user_ref', 'client_id'],
      which: (projectId) => sql`
        not exists (select from membership_key k where k.project_id = ${projectId} and k.user_ref = t.user_ref)
        or not exists (select from resource r where r.project_id = ${projectId}
          and r.type_id = ${typeId('ClientApplication')} and r.id = t.client_id::text and not r.deleted)`,
    },
    pushed_request: { key: ['project_id', 'hash'], which: sql`t.expires_at < now()` },
  };
}
