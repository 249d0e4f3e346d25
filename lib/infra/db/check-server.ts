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

/** Throws `WrongSettings` for a server that Gatehouse cannot work on, before anything is changed there. */
export async function checkServer(url = env().DATABASE_URL): Promise<void> {
  const [one, other] = [connect(url), connect(url)];
  try {
    await checkVersion(one);
    for (let look = 0; look < LOOKS; look++) await checkSession(one, other);
  } catch (error) {
    throw explain(error);
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]);
  }
}

/** Asks for what the pools ask for, and prepares nothing: a pooler is to be known as such, not by what it breaks. */
function connect(url: string): postgres.Sql {
  return postgres({
    ...forPostgres(parseAddress(url)),
    max: 1,
    fetch_types: false,
    prepare: false,
    connection: { TimeZone: 'UTC', application_name: 'gatehouse-check', statement_timeout: 30_000 },
  });
}

async function checkVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const { version = '' } = row ?? {};
  const major = Number.parseInt(version, 10);
  if (major < OLDEST) refuse(`PostgreSQL ${version} is too old: ${OLDEST} to ${NEWEST} are supported`);
  if (major > NEWEST)
    log.warn({ version }, `PostgreSQL ${OLDEST} to ${NEWEST} are supported; this one was never tried`);
}

/** LISTEN, the locks of leases and prepared statements live in the session: each connection of ours must be one of the server's. */
async function checkSession(one: postgres.Sql, other: postgres.Sql): Promise<void> {
  const before = await processOf(one);
  await other.begin(async (tx) => {
    if ((await processOf(tx)) === before || (await processOf(one)) !== before) {
      refuse(
        'leads to a pooler that shares connections between transactions (PgBouncer: pool_mode=transaction). Give it ' +
          'pool_mode=session, or name PostgreSQL itself: sessions that are ended must be heard of, and locks be held',
      );
    }
  });
}

async function processOf(sql: postgres.Sql | postgres.TransactionSql): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row!.pid;
}

function explain(error: unknown): unknown {
  const { code, message = '' } = error as { code?: string; message?: string };
  // A server without TLS says so, which the driver does not hear: what follows is then a broken connection.
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection'))
    return new WrongSettings('DATABASE_URL: the server does not speak TLS, which sslmode asks for');
  if (message.startsWith('unsupported startup parameter')) {
    return new WrongSettings(
      `DATABASE_URL: leads to a pooler that refuses what a connection sets (${message}). PgBouncer needs pool_mode=session and ` +
        'ignore_startup_parameters=statement_timeout; then ALTER ROLE … SET statement_timeout has to bound statements',
    );
  }
  return error;
}

function refuse(reason: string): never {
  throw new WrongSettings(`DATABASE_URL: ${reason}`);
}
