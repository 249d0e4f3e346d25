import { type SQL, sql } from 'drizzle-orm';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { LIFETIME, MOST_LIFETIME_SECONDS, UNIT_SECONDS } from '#lib/protocol/fhir/lifetime.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { IDLE_LIMIT, SESSION_LIFETIME } from '#lib/protocol/sign-in/bounds.ts';

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

/** How long the login of a person may be idle in its project, and a tenth more, which `touchLogin` leaves; null where it may be for ever. */
export function idleLife(login: string, of: string | readonly string[]): SQL {
  return sql`1.1 * ${personsBound(login, of, IDLE_LIMIT)}`;
}

/** How long the login of a person lives in its project, however much it is used; null where it has no end. */
export function sessionLife(login: string, of: string | readonly string[]): SQL {
  return personsBound(login, of, SESSION_LIFETIME);
}

function personsBound(login: string, of: string | readonly string[], setting: string): SQL {
  const row = sql.raw(login);
  const own = sql`p.project_id`;
  const isOwn =
    typeof of === 'string' ? sql`${own} = ${of}` : sql`${own} = ${row}.project_id and ${isAnyUuidOf(own, of)}`;
  const text = sql`(s->>'valueString')`;
  return sql`(select make_interval(secs => ${secondsOf(text)}) from resource p, jsonb_array_elements(p.content->'setting') s
    where ${isOwn} and p.type_id = ${PROJECT} and p.id = ${row}.project_id::text and s->>'name' = ${setting} and ${text} ~ ${LIFETIME.source}
      and ${row}.auth_method <> 'client' limit 1)`;
}

// A constant, not a parameter: the plan is made for the partition.
const CLIENT = sql.raw(String(typeId('ClientApplication')));
const PROJECT = sql.raw(String(typeId('Project')));

/** `lifetimeSeconds` in SQL, or else the standard. */
function lifetime(name: string, standardSeconds: number): SQL {
  const text = sql`(c.content->>${name})`;
  return sql`(case when ${text} ~ ${LIFETIME.source} then ${secondsOf(text)} else ${standardSeconds}::float8 end)`;
}

/** Of a text that is one. */
function secondsOf(text: SQL): SQL {
  // Not `case … when`: of a sweep's, Citus makes a statement that does not parse.
  const units = Object.entries(UNIT_SECONDS).map(
    ([unit, seconds]) => sql`when right(${text}, 1) = ${unit} then ${seconds}::float8`,
  );
  return sql`least(left(${text}, -1)::float8 * case ${sql.join(units, sql.raw(' '))} end, ${MOST_LIFETIME_SECONDS}::float8)`;
}
