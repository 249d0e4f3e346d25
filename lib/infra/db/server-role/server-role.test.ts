import { sql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { asRole, cloneDatabase } from '#lib/testing/set-up/database.ts';
import { db, OWNER_URL } from '#lib/testing/set-up/own-db.ts';
import { parseAddress } from '../address.ts';
import { runText, db as serverDb } from '../client.ts';
import { migrate } from '../migrate.ts';
import { letIn } from './let-in.ts';
import { lookAtFences } from './look-at-fences.ts';
import { makeRole } from './make-role.ts';

/** As the server connects, and past all that the program sees to. */
const server = postgres(env().DATABASE_URL, { max: 1, fetch_types: false, onnotice: () => undefined });
const FORBIDDEN = '42501';
const PROJECT = newId();

beforeEach(({ skip }) => skip(!inject('serverRole'), 'the tests run as the owner of the tables'));
afterAll(() => server.end());

const codeOf = (text: string) =>
  server.unsafe(text).then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );

test('the program connects as a role that owns nothing, is no superuser, and does not pass by row-level security', async () => {
  const none = { owner: false, superuser: false, bypassesRowSecurity: false };
  expect(await lookAtFences(env().DATABASE_URL)).toMatchObject(none);
  expect(await lookAtFences(OWNER_URL)).toMatchObject({ owner: true });
});

describe('whatever it is made to send, PostgreSQL refuses', () => {
  test.each([
    // The tables as they are.
    'alter table resource add column x int',
    'drop table resource',
    'truncate resource',
    'create trigger t before insert on resource for each row execute function suppress_redundant_updates_trigger()',
    'create index on resource (id)',
    'alter table audit_event disable trigger all',
    'alter table resource disable row level security',
    // What was done.
    "update audit_event set action = 'nothing'",
    'delete from audit_event',
    "update audit_seal set hashes = ''",
    'delete from audit_seal',
    'delete from audit_chain',
    'delete from audit_head',
    'delete from audit_key',
    'update resource_history set version = 0',
    "update bot_version set source = ''",
    // A row of one project that becomes another's.
    `update resource set project_id = '${PROJECT}'`,
    `update membership_key set project_id = '${PROJECT}'`,
    `update client_secret set project_id = '${PROJECT}'`,
    // By a way around: a part of a table, and what tells of migrations.
    'select from resource_patient',
    'delete from drizzle.__drizzle_migrations',
    // Anything of its own: code above all.
    'create table public.t (x int)',
    'create temporary table t (x int)',
    'create schema s',
    'create function public.f() returns int language sql as $$ select 1 $$',
    'create function pg_temp.f() returns int language sql as $$ select 1 $$',
    'create function pgboss.f() returns int language sql as $$ select 1 $$',
    // The server, its files and its people.
    'select rolpassword from pg_authid',
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('.')",
    "copy (select 1) to '/tmp/x'",
    "copy resource_history (id) from program 'id'",
    "select lo_import('/etc/passwd')",
    'create role r',
    'alter role current_user superuser',
    "alter system set log_statement = 'all'",
    'set session_replication_role = replica',
    'create database d',
    'select pg_reload_conf()',
  ])('%s', async (text) => {
    expect(await codeOf(text)).toBe(FORBIDDEN);
  });

  test('being somebody else', async () => {
    const { user } = parseAddress(OWNER_URL);
    expect(await codeOf(`set role "${user}"`)).toBe(FORBIDDEN);
    expect(await codeOf(`set session authorization "${user}"`)).toBe(FORBIDDEN);
  });
});

test('a table that nobody thought of is not its', async () => {
  await db().execute(sql`create table stray (x int)`);
  await letIn(OWNER_URL, env().DATABASE_URL);
  expect(await codeOf('select from stray')).toBe(FORBIDDEN);
  await db().execute(sql`drop table stray`);
});

test('of the audit log goes what is older than six years, of the project that is named, and nothing else', async () => {
  const [one, other] = [newId(), newId()];
  const ids = Array.from({ length: 4 }, () => newId());
  const rows = [
    [one, ids[0], 2300],
    [one, ids[1], 2100],
    [other, ids[2], 2300],
    [other, ids[3], 0],
  ] as const;
  for (const [projectId, id, days] of rows)
    await db().execute(sql`insert into audit_event (project_id, id, at, action, target, request_id)
      values (${projectId}, ${id}, now() - ${days}::int * interval '1 day', 'resource.read', 'Patient/1', '')`);
  const text = 'select sweep_audit_event($1::uuid, $2::uuid[], $3::bigint) as rows';
  expect(await runText(serverDb(), text, [one, `{${ids}}`, 1_000_000])).toEqual([{ rows: 1 }]);
  const left = await db().execute(sql`select id from audit_event where project_id in (${one}, ${other}) order by id`);
  expect(left.map(({ id }) => id)).toEqual(ids.slice(1).sort());
});

describe('of secrets it sees the project that its transaction has named', () => {
  const TABLES = ['project_secret', 'bot_secret', 'provider_secret'];
  const [one, other] = [newId(), newId()];
  const count = (q: postgres.Sql | postgres.TransactionSql, table: string) =>
    q.unsafe(`select project_id from ${table}`).then((rows) => rows.map((row) => row.project_id));
  const named = <T>(projectId: string, work: (tx: postgres.TransactionSql) => Promise<T>) =>
    server.begin(async (tx) => {
      await tx`select set_config('gatehouse.project', ${projectId}, true)`;
      return work(tx);
    });

  beforeAll(async () => {
    for (const id of [one, other]) {
      await db().execute(sql`insert into project_secret (project_id, name, value_sealed) values (${id}, 'A', 'x')`);
      await db().execute(
        sql`insert into bot_secret (project_id, bot_id, name, value_sealed) values (${id}, ${newId()}, 'A', 'x')`,
      );
      await db().execute(
        sql`insert into provider_secret (project_id, owner, token_url, value_sealed) values (${id}, 'A', 'https://a.example', 'x')`,
      );
    }
  });

  // What is no secret would be found by whoever opens all of them.
  afterAll(async () => {
    for (const table of TABLES)
      await db().execute(sql`delete from ${sql.identifier(table)} where project_id in (${one}, ${other})`);
  });

  test.each(TABLES)('%s: none without a name, and only its own whatever is asked', async (table) => {
    expect(await count(server, table)).toEqual([]);
    expect(await named(one, (tx) => count(tx, table))).toEqual([one]);
    expect(await named(newId(), (tx) => count(tx, table))).toEqual([]);
    // The name is over with its transaction.
    expect(await count(server, table)).toEqual([]);
    const asked = await named(one, (tx) => tx.unsafe(`select from ${table} where project_id = '${other}'`));
    expect(asked).toHaveLength(0);
  });

  test.each(TABLES)('%s: and changes no other', async (table) => {
    const change = (text: string) => named(one, (tx) => tx.unsafe(text)).then(({ count: rows }) => rows);
    expect(await change(`update ${table} set value_sealed = 'y'`)).toBe(1);
    expect(await change(`delete from ${table} where project_id = '${other}'`)).toBe(0);
    const values =
      { project_secret: `'B', 'x'`, bot_secret: `'${newId()}', 'B', 'x'` }[table] ?? `'B', 'https://b.example', 'x'`;
    await expect(change(`insert into ${table} values ('${other}', ${values})`)).rejects.toMatchObject({
      code: FORBIDDEN,
    });
    expect(await db().execute(sql.raw(`select from ${table} where value_sealed = 'x'`))).not.toHaveLength(0);
  });

  test('but which projects have any is told to what goes through all of them, table by table', async () => {
    const next = (table: string, after: string | null) =>
      server`select next_project_in(${table}, ${after}::uuid) as id`.then(([row]) => row?.id);
    for (const table of TABLES) {
      const found: string[] = [];
      for (let at = await next(table, null); at; at = await next(table, at)) found.push(at);
      expect(found, table).toEqual(expect.arrayContaining([one, other]));
      expect(found).toEqual([...new Set(found)].sort());
    }
    await expect(next('credential', null)).rejects.toMatchObject({ code: FORBIDDEN });
  });
});

describe('what it may', () => {
  const held = () =>
    db().execute(sql`
    select relname, xmin::text, relacl::text from pg_class where relname in ('resource', 'audit_event', 'login') order by 1`);

  test('is given once, and left alone from then on', async () => {
    const before = await held();
    await letIn(OWNER_URL, env().DATABASE_URL);
    expect(await held()).toEqual(before);
  });

  test('is taken where it is too much', async () => {
    const { user } = parseAddress(env().DATABASE_URL);
    await db().execute(sql.raw(`grant delete, truncate on audit_event to "${user}"`));
    await Promise.all([letIn(OWNER_URL, env().DATABASE_URL), letIn(OWNER_URL, env().DATABASE_URL)]);
    expect([await codeOf('delete from audit_event'), await codeOf('truncate audit_event')]).toEqual([
      FORBIDDEN,
      FORBIDDEN,
    ]);
  });
});

describe('the role', () => {
  const named = (user: string, password = 'pass word:ä') => asRole(OWNER_URL, { user, password });
  const drop = (user: string) => db().execute(sql.raw(`drop role if exists "${user}"`));

  test('is made by several starts at once, in databases that know nothing of each other', async () => {
    const user = `gatehouse_${newId()}`;
    const owners = [OWNER_URL, await cloneDatabase(inject('templateUrl'))];
    await Promise.all(owners.flatMap((url) => [makeRole(url, named(user)), makeRole(url, named(user))]));
    expect(await lookAtFences(named(user))).toMatchObject({ owner: false, superuser: false });
    // Its password is its own, unless it is ours to set.
    await makeRole(OWNER_URL, named(user, 'other'));
    await expect(lookAtFences(named(user, 'other'))).rejects.toThrow('password');
    await makeRole(OWNER_URL, named(user, 'other'), { keeps: true });
    expect(await lookAtFences(named(user, 'other'))).toMatchObject({ owner: false });
    await drop(user);
  });

  test('is asked for by name where nobody may make it; and it is another than the owner', async () => {
    await expect(makeRole(env().DATABASE_URL, named('gatehouse_nobody'))).rejects.toThrow(
      /DATABASE_URL: there is no role gatehouse_nobody.*create role gatehouse_nobody login/,
    );
    await expect(makeRole(OWNER_URL, OWNER_URL)).rejects.toThrow(
      'DATABASE_OWNER_URL: names the same user as DATABASE_URL',
    );
  });
});

test('by itself it starts on the tables of this version, and on no older ones', async () => {
  const url = await cloneDatabase(inject('templateUrl'));
  const serverUrl = asRole(url, inject('serverRole'));
  expect(await migrate(serverUrl)).toEqual({ distributed: [] });
  const owner = postgres(url, { max: 1 });
  await owner`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
  await owner.end();
  await expect(migrate(serverUrl)).rejects.toThrow('DATABASE_OWNER_URL');
});
