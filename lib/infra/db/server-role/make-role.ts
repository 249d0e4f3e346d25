import postgres from 'postgres';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { type Address, forPostgres, parseAddress } from '../address.ts';
import { scramVerifier } from './scram.ts';

/** They are there already: roles belong to a whole server, and somebody else was quicker. */
const RACES = ['42710', '23505'];
const FORBIDDEN = '42501';

/**
 * The role that `serverUrl` names, made when it is not there: it may sign in, and nothing else. `keeps`: its password is ours to set, and is
 * what the URL says. Throws `WrongSettings` where nobody has made it and the owner of the tables may not.
 */
export async function makeRole(ownerUrl: string, serverUrl: string, { keeps = false } = {}): Promise<void> {
  const { user, password } = parseAddress(serverUrl);
  const owner = parseAddress(ownerUrl, 'DATABASE_OWNER_URL');
  if (owner.user === user) throw new WrongSettings('DATABASE_OWNER_URL: names the same user as DATABASE_URL');
  const sql = postgres({ ...forPostgres(owner), max: 1, fetch_types: false, onnotice: () => undefined });
  try {
    const [found] = await sql`select from pg_roles where rolname = ${user}`;
    const secret = password ? ` password '${scramVerifier(password)}'` : '';
    if (!found) await create(sql, user, secret);
    else if (keeps && !(await isLetIn({ ...owner, user, password })))
      await sql.unsafe(`alter role ${nameIn(user)} login${secret}`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

async function create(sql: postgres.Sql, user: string, secret: string): Promise<void> {
  try {
    await sql.unsafe(`create role ${nameIn(user)} login noinherit${secret}`);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (RACES.includes(code)) return;
    if (code !== FORBIDDEN) throw error;
    throw new WrongSettings(
      `DATABASE_URL: there is no role ${user}, and that of DATABASE_OWNER_URL may not make one: create role ${user} login password '…' (docs/database.md)`,
    );
  }
}

function nameIn(user: string): string {
  return `"${user.replaceAll('"', '""')}"`;
}

async function isLetIn(address: Address): Promise<boolean> {
  const sql = postgres({ ...forPostgres(address), max: 1, fetch_types: false });
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
