import { type SQL, sql } from 'drizzle-orm';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { LIFETIME, MOST_LIFETIME_SECONDS, UNIT_SECONDS } from '#lib/protocol/fhir/lifetime.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

/** Of an access token, and of a refresh token, for a client that names none (contract §1.3). */
export const ACCESS_SECONDS = 3600;
export const REFRESH_SECONDS = 14 * 24 * 3600;

/**
 * How long the longest token of a row of `login` lives, as an interval. A client that signs in as itself has no refresh token; a person's
 * session lasts two weeks from its last renewal at least. `login`: what the statement calls the row; `of`: its project, or those among
 * which its own is.
 */
export function longestLife(login: string, of: string | readonly string[]): SQL {
  const row = sql.raw(login);
  const own = sql`c.project_id`;
  const isOwn =
    typeof of === 'string' ? sql`${own} = ${of}` : sql`${own} = ${row}.project_id and ${isAnyUuidOf(own, of)}`;
  const access = lifetime('accessTokenLifetime', ACCESS_SECONDS);
  return sql`make_interval(secs => coalesce((
    select case when ${row}.auth_method = 'client' then ${access}
      else greatest(${REFRESH_SECONDS}::float8, ${access}, ${lifetime('refreshTokenLifetime', REFRESH_SECONDS)}) end
    from resource c where ${isOwn} and c.type_id = ${CLIENT} and c.id = ${row}.client_id and not c.deleted
  ), ${REFRESH_SECONDS}::float8))`;
}

// A constant, not a parameter: the plan is made for the partition.
const CLIENT = sql.raw(String(typeId('ClientApplication')));

/** `lifetimeSeconds` in SQL, or else the standard. */
function lifetime(name: string, standardSeconds: number): SQL {
  const text = sql`(c.content->>${name})`;
  // Not `case … when`: of a sweep's, Citus makes a statement that does not parse.
  const units = Object.entries(UNIT_SECONDS).map(
    ([unit, seconds]) => sql`when right(${text}, 1) = ${unit} then ${seconds}::float8`,
  );
  const given = sql`left(${text}, -1)::float8 * case ${sql.join(units, sql.raw(' '))} end`;
  return sql`(case when ${text} ~ ${LIFETIME.source} then least(${given}, ${MOST_LIFETIME_SECONDS}::float8) else ${standardSeconds}::float8 end)`;
}
