import postgres from 'postgres';
import { log } from '#lib/base/log.ts';
import { forPostgres, parseAddress } from '../address.ts';
import { PLACEMENT } from '../cluster/placement.ts';

type Fences = {
  /** May change and drop the tables that it serves. */
  owner: boolean;
  superuser: boolean;
  /** May pass by row-level security, also as a superuser. */
  bypassesRowSecurity: boolean;
  /** Tables with row-level security. */
  rowSecurity: number;
};

/** What PostgreSQL holds the server to whatever it sends, beside what the program sees to itself. */
export async function lookAtFences(url: string): Promise<Fences> {
  const sql = postgres({ ...forPostgres(parseAddress(url)), max: 1, fetch_types: false, prepare: false });
  try {
    const tables = Object.keys(PLACEMENT).join('|');
    const [row] = await sql<Fences[]>`
      select r.rolsuper as superuser, r.rolsuper or r.rolbypassrls as "bypassesRowSecurity",
        coalesce(bool_or(pg_has_role(c.relowner, 'usage')), false) as owner, count(*) filter (where c.relrowsecurity)::int as "rowSecurity"
      from pg_roles r left join pg_class c on c.relnamespace = 'public'::regnamespace and c.relname = any(string_to_array(${tables}, '|'))
      where r.rolname = current_user group by 1, 2`;
    return row!;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Once, at the start of a server or a worker. */
export async function tellFences(url: string): Promise<void> {
  const fences = await lookAtFences(url);
  if (fences.superuser)
    log.warn(fences, 'the role of the server is a superuser: nothing bounds what it sends (docs/database.md)');
  else if (fences.owner) log.info(fences, 'the role of the server owns its tables (docs/database.md)');
  else log.info(fences, 'the role of the server does not own its tables');
}
