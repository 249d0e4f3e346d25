import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { forPostgres, parseAddress } from '../address.ts';
import { isCluster } from '../cluster/distribute.ts';
import { isHeldUp } from '../errors.ts';
import { MIGRATION_LOCK } from '../migrate.ts';
import { allowedOn, FUNCTIONS, GUARDED, isOurs, updatable } from './privileges.ts';

const MOST_TRIES = 60;
const REST_MS = 200;

type Found = {
  schema: string;
  name: string;
  columns: string[];
  held: string[];
  /** Columns that may be updated where the table may not. */
  updatable: string[];
};

/**
 * Gives the role that `serverUrl` names what it needs of the tables that there are, and takes what is more: by the list in privileges.ts, so
 * that it has nothing of a table that nobody thought of. `ownerUrl`: of who has migrated them. What is right already is left alone: no plan of a
 * server that serves is made anew for it.
 */
export async function letIn(ownerUrl: string, serverUrl: string): Promise<void> {
  const { user: role } = parseAddress(serverUrl);
  const sql = postgres({
    ...forPostgres(parseAddress(ownerUrl, 'DATABASE_OWNER_URL')),
    max: 1,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: 'gatehouse-migrate' },
  });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    // A node of Citus would neither be told of columns nor know which project a transaction has named.
    const isAlone = !(await isCluster(sql));
    const statements = [
      ...(await besideTables(sql, role)),
      ...(await findTables(sql, role)).flatMap((table) => toStatements(table, role, isAlone)),
      ...(isAlone ? await toGuard(sql) : []),
    ];
    if (statements.length > 0) await sendAll(sql, statements);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * Another database of the server may have the same role, and a catalog that they share: who comes second is told to try again. As is who waits
 * for a table for so long that requests wait behind them.
 */
async function sendAll(sql: postgres.Sql, statements: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await sql.begin(async (tx) => {
        await tx`set local lock_timeout = '500ms'`;
        for (const statement of statements) await tx.unsafe(statement);
      });
      return;
    } catch (error) {
      const isOver = !isHeldUp(error) && !String((error as Error).message).includes('concurrently');
      if (tries === MOST_TRIES || isOver) throw error;
      await pause(REST_MS);
    }
  }
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The schemas, the functions, and that nobody but the owner makes anything there: not for a while either, by a function of pg_temp. */
async function besideTables(sql: postgres.Sql, role: string): Promise<string[]> {
  const to = quoted(role);
  const rows = await sql<{ statement: string }[]>`
    select 'grant connect on database ' || quote_ident(current_database()) || ${` to ${to}`}::text as statement
    where not has_database_privilege(${role}::name, current_database(), 'connect')
    union all
    select 'revoke temporary on database ' || quote_ident(current_database()) || ' from public'
    where has_database_privilege(${role}::name, current_database(), 'temporary')
    union all
    select 'grant usage on schema ' || nspname || ${` to ${to}`}::text from pg_namespace
    where nspname in ('public', 'drizzle', 'pgboss') and not has_schema_privilege(${role}::name, oid, 'usage')
    union all
    select 'revoke create on schema ' || nspname || ' from public' from pg_namespace
    where nspname = 'public' and has_schema_privilege(${role}::name, oid, 'create')
    union all
    select 'grant execute on function ' || f.name || ${` to ${to}`}::text from unnest(string_to_array(${FUNCTIONS.join('|')}, '|')) as f(name)
    where not has_function_privilege(${role}::name, f.name::regprocedure, 'execute')`;
  return rows.map(({ statement }) => statement);
}

/** But for partitions: what is asked of a table is asked by its own name. The queue's are asked by theirs. */
function findTables(sql: postgres.Sql, role: string): Promise<Found[]> {
  return sql<Found[]>`
    select n.nspname as schema, c.relname as name,
      (select json_agg(a.attname order by a.attname) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
      (select coalesce(json_agg(lower(x.privilege_type) order by x.privilege_type), '[]') from aclexplode(c.relacl) x where x.grantee = r.oid) as held,
      (select coalesce(json_agg(a.attname order by a.attname), '[]') from pg_attribute a cross join aclexplode(a.attacl) x
        where a.attrelid = c.oid and x.grantee = r.oid and x.privilege_type = 'UPDATE') as updatable
    from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join pg_roles r
    where r.rolname = ${role}::name and c.relkind in ('r', 'p')
      and (n.nspname = 'public' and not c.relispartition or n.nspname in ('drizzle', 'pgboss'))`;
}

/** Whoever owns a table passes by it: a release before, and a start without a role for the server. */
async function toGuard(sql: postgres.Sql): Promise<string[]> {
  const open = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relname = any(string_to_array(${GUARDED.join('|')}, '|')) and not relrowsecurity`;
  return open.flatMap(({ name }) => [
    `drop policy if exists of_project on public.${name}`,
    `create policy of_project on public.${name} using (project_id = nullif(current_setting('gatehouse.project', true), '')::uuid)`,
    `alter table public.${name} enable row level security`,
  ]);
}

function toStatements(table: Found, role: string, byColumn: boolean): string[] {
  const { whole, columns } = wantedOf(table, byColumn);
  if (isSame(whole, table.held) && isSame(columns, table.updatable)) return [];
  const [name, to] = [`${quoted(table.schema)}.${quoted(table.name)}`, quoted(role)];
  return [
    `revoke all on ${name} from ${to}`,
    ...(whole.length > 0 ? [`grant ${whole.join(', ')} on ${name} to ${to}`] : []),
    ...(columns.length > 0 ? [`grant update (${columns.map(quoted).join(', ')}) on ${name} to ${to}`] : []),
  ];
}

type Wanted = { whole: string[]; columns: readonly string[] };

function wantedOf({ schema, name, columns }: Found, byColumn: boolean): Wanted {
  if (schema === 'drizzle') return { whole: ['select'], columns: [] };
  if (schema === 'pgboss') return { whole: ['select', 'insert', 'update', 'delete'], columns: [] };
  if (!isOurs(name)) return { whole: [], columns: [] };
  const some = updatable(name, columns);
  const isWhole = some === undefined || (!byColumn && some.length > 0);
  const whole = ['select', 'insert', ...(isWhole ? ['update'] : []), ...(allowedOn(name).delete ? ['delete'] : [])];
  return { whole, columns: isWhole ? [] : some };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.toSorted().join() === other.toSorted().join();
}
