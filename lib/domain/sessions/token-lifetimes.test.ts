import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { ACCESS_SECONDS, longestLife, REFRESH_SECONDS } from './token-lifetimes.ts';

/** Of a login through a client that says this of its tokens; the tables are made up in the statement. */
async function lifeOf(method: 'client' | 'password', said: object): Promise<number> {
  const projectId = newId();
  const [row] = await db().execute<{ seconds: number }>(sql`
    with resource as (select ${projectId}::uuid as project_id, ${typeId('ClientApplication')}::smallint as type_id, 'c' as id,
      false as deleted, ${JSON.stringify(said)}::jsonb as content),
    l as (select ${projectId}::uuid as project_id, 'c' as client_id, ${method} as auth_method)
    select extract(epoch from ${longestLife('l', projectId)})::float8 as seconds from l`);
  return row!.seconds;
}

test.each([
  ...['0s', '59s', '15m', '1h', '2d', '26w', '3y', '99999s', '99999y'],
  ...['', 'soon', '1 hour', '15M', '123456s', '-1s', '١s'],
])('PostgreSQL reads a lifetime of %j as the tokens were signed', async (accessTokenLifetime) => {
  expect(await lifeOf('client', { accessTokenLifetime })).toBe(lifetimeSeconds(accessTokenLifetime) ?? ACCESS_SECONDS);
});

test('a session of a person lasts as long as its longest token, and two weeks at least', async () => {
  expect(await lifeOf('password', {})).toBe(REFRESH_SECONDS);
  expect(await lifeOf('password', { refreshTokenLifetime: '1d' })).toBe(REFRESH_SECONDS);
  expect(await lifeOf('password', { refreshTokenLifetime: '30d', accessTokenLifetime: '5m' })).toBe(30 * 86_400);
  expect(await lifeOf('password', { refreshTokenLifetime: '1d', accessTokenLifetime: '3w' })).toBe(21 * 86_400);
});
