import postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { forPostgres, parseAddress } from './address.ts';

/** Both ends have run the tests. */
const OLDEST = 15;
const NEWEST = 18;

/** A pooler that serves others meanwhile may give the same connection twice by chance. */
const LOOKS = 3;

type Named = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_OWNER_URL';
type Addresses = Partial<Record<Named, string | undefined>>;

/** Throws `WrongSettings` for a server that Gatehouse cannot work on, before anything is changed there. */
export async function checkServer({ DATABASE_URL: url = '', DATABASE_DIRECT_URL: direct }: Addresses = env()) {
  if (direct) await check('DATABASE_DIRECT_URL', direct, (one) => checkPooled(url, one));
  else await check('DATABASE_URL', url);
}

/** The same of where migrations go, before there may be anybody else. */
export async function checkOwner(ownerUrl: string): Promise<void> {
  await check('DATABASE_OWNER_URL', ownerUrl);
}

/** Whether the owner's address and the server's lead to the same database. */
export async function checkSame({ DATABASE_OWNER_URL: owner = '', ...server }: Addresses): Promise<void> {
  const named = server.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  const [one, other] = [connect(server[named] ?? '', named), connect(owner, 'DATABASE_OWNER_URL')];
  try {
    const [here, there] = [await look(one), await look(other)];
    if (here.id !== there.id) refuse('DATABASE_OWNER_URL', `leads to another database than ${named}`);
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]);
  }
}

async function check(named: Named, url: string, further = async (_: postgres.Sql) => {}): Promise<void> {
  const [one, other] = [connect(url, named), connect(url, named)];
  try {
    await checkVersion(one, named);
    for (let look = 0; look < LOOKS; look++) await checkSession(one, other, named);
    await further(one);
  } catch (error) {
    throw explain(error, named);
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]);
  }
}

const SET = { statement_timeout: 30_000 };

/** Asks for what the pools ask for, and prepares nothing: a pooler is to be known as such, not by what it breaks. */
function connect(url: string, named: Named, set: Partial<typeof SET> = SET): postgres.Sql {
  return postgres({
    ...forPostgres(parseAddress(url, named)),
    max: 1,
    fetch_types: false,
    prepare: false,
    connection: { TimeZone: 'UTC', application_name: 'gatehouse-check', ...set },
  });
}

/** Beside a direct address: whether it leads to the same, by what a pooler cannot make up. Nothing is set, which it might refuse. */
async function checkPooled(url: string, direct: postgres.Sql): Promise<void> {
  const pooled = connect(url, 'DATABASE_URL', {});
  try {
    const [there, here] = [await look(pooled), await look(direct)];
    if (there.id !== here.id) refuse('DATABASE_URL', 'leads to another database than DATABASE_DIRECT_URL');
    if (there.limit === '0') {
      log.warn(
        "No statement_timeout bounds what is asked by way of DATABASE_URL: give the pooler connect_query='set statement_timeout = 30000'",
      );
    }
  } catch (error) {
    throw explain(error, 'DATABASE_URL');
  } finally {
    await pooled.end({ timeout: 1 });
  }
}

async function look(sql: postgres.Sql): Promise<{ id: string; limit: string }> {
  const [row] = await sql<{ id: string; limit: string }[]>`
    select oid || ' since ' || pg_postmaster_start_time() as id, current_setting('statement_timeout') as limit
    from pg_database where datname = current_database()`;
  return row!;
}

async function checkVersion(sql: postgres.Sql, named: Named): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const { version = '' } = row ?? {};
  const major = Number.parseInt(version, 10);
  if (major < OLDEST) refuse(named, `PostgreSQL ${version} is too old: ${OLDEST} to ${NEWEST} are supported`);
  if (major > NEWEST)
    log.warn({ version }, `PostgreSQL ${OLDEST} to ${NEWEST} are supported; this one was never tried`);
}

/** LISTEN, the locks of leases and prepared statements live in the session: each connection of ours must be one of the server's. */
async function checkSession(one: postgres.Sql, other: postgres.Sql, named: Named): Promise<void> {
  const before = await processOf(one);
  await other.begin(async (tx) => {
    if ((await processOf(tx)) === before || (await processOf(one)) !== before) {
      refuse(
        named,
        'leads to a pooler that shares connections between transactions (PgBouncer: pool_mode=transaction). ' +
          (named === 'DATABASE_URL'
            ? 'Name PostgreSQL itself in DATABASE_DIRECT_URL besides: sessions that are ended must be heard of, and locks be held'
            : 'It must lead to PostgreSQL itself'),
      );
    }
  });
}

async function processOf(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row!.pid;
}

function explain(error: unknown, named: Named): unknown {
  const { code, message = '' } = error as { code?: string; message?: string };
  // A server without TLS says so, which the driver does not hear: what follows is then a broken connection.
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection'))
    return new WrongSettings(`${named}: the server does not speak TLS, which sslmode asks for`);
  if (message.startsWith('unsupported startup parameter')) {
    return new WrongSettings(
      `${named}: leads to a pooler that refuses what a connection sets (${message}). ` +
        (named === 'DATABASE_URL'
          ? 'Name PostgreSQL itself in DATABASE_DIRECT_URL besides; the pooler may then share connections between transactions'
          : 'It must lead to PostgreSQL itself'),
    );
  }
  return error;
}

function refuse(named: Named, reason: string): never {
  throw new WrongSettings(`${named}: ${reason}`);
}
