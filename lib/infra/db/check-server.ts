import postgres from 'postgres';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { forPostgres, parseAddress } from './address.ts';

/** Both ends have run the tests. */
const OLDEST = 15;
const NEWEST = 18;

/** Throws `WrongSettings` for a server that Gatehouse cannot work on, before anything is changed there. */
export async function checkServer(url = env().DATABASE_URL): Promise<void> {
  const sql = postgres({
    ...forPostgres(parseAddress(url)),
    max: 1,
    fetch_types: false,
    connection: { application_name: 'gatehouse-check' },
  });
  try {
    await checkVersion(sql);
  } catch (error) {
    throw explain(error);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function checkVersion(sql: postgres.Sql): Promise<void> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  const { version = '' } = row ?? {};
  const major = Number.parseInt(version, 10);
  if (major < OLDEST)
    throw new WrongSettings(`DATABASE_URL: PostgreSQL ${version} is too old: ${OLDEST} to ${NEWEST} are supported`);
  if (major > NEWEST)
    log.warn({ version }, `PostgreSQL ${OLDEST} to ${NEWEST} are supported; this one was never tried`);
}

/** A server without TLS says so, which the driver does not hear: what follows is then a broken connection. */
function explain(error: unknown): unknown {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== 'ECONNRESET' || !message?.includes('before secure TLS connection')) return error;
  return new WrongSettings('DATABASE_URL: the server does not speak TLS, which sslmode asks for');
}
