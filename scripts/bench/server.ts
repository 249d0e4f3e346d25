import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';

/** What the production server on this database and port is told. */
export function serverSettings(url: string, port: number) {
  const AUTH_SECRET = randomBytes(32).toString('base64url');
  return {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    AUTH_SECRET,
  };
}

/** What autovacuum does within a minute of so many new rows. */
export async function analyze(url: string): Promise<void> {
  const sql = postgres({ ...forPostgres(parseAddress(url)), max: 1, onnotice: () => undefined });
  await sql`vacuum analyze`;
  await sql.end();
}
