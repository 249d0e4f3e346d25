import { type SQL, sql } from 'drizzle-orm';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** A client's own lifetime (`15m`, `2w`) as an interval; `standard` when it names none. */
function lifetime(name: string, standard: string): SQL {
  return sql`coalesce((case when c.content->>${name} ~ '^[0-9]{1,5}[smhdwy]$' then (c.content->>${name})::interval end), ${standard}::interval)`;
}

/**
 * Whether the row `l` of `login` is a session that may still be used (contract §1.3): granted, not ended, and last used no longer ago than
 * its longest token lives. A client that signs in as itself has no refresh token; a person's session lasts two weeks from its last renewal.
 */
export const LIVE_LOGIN: SQL = sql`(l.granted and not l.revoked and l.last_used_at > now() - coalesce((
  select case when l.auth_method = 'client' then ${lifetime('accessTokenLifetime', '1 hour')}
    else greatest(interval '14 days', ${lifetime('accessTokenLifetime', '1 hour')}, ${lifetime('refreshTokenLifetime', '14 days')}) end
  from resource c where c.project_id = l.project_id and c.type_id = ${sql.raw(String(typeId('ClientApplication')))} and c.id = l.client_id and not c.deleted
), interval '14 days'))`;
