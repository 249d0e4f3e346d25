import { sql } from 'drizzle-orm';
import type { OverRows } from '#lib/infra/db/sweep.ts';
import { REMOVED_KEPT_DAYS } from '#lib/protocol/answers/removed.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

const USER = sql.raw(`type_id = ${typeId('User')}`);
const KEPT = sql.raw(`now() - interval '${REMOVED_KEPT_DAYS} days'`);

/** What signed in a User who was deleted, when it can no longer come back. One that moved has a grave where it was, and lives on. */
export function over(): OverRows {
  return {
    credential: {
      key: ['user_id'],
      which: sql`t.user_id in (select u.id::uuid from resource u where u.${USER} and u.deleted and u.last_updated < ${KEPT})
    and not exists (select 1 from resource u where u.${USER} and u.id = t.user_id::text and (not u.deleted or u.last_updated >= ${KEPT}))`,
    },
  };
}
