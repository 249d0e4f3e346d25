import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Db } from '#lib/infra/db/client.ts';

/** By the owner of the tables, whatever the program's role may not do (process-setup.ts), and a test does to its settings. */
export const OWNER_URL = process.env.TEST_OWNER_URL ?? process.env.DATABASE_URL ?? '';
let own: Db | undefined;

/**
 * The tests' own way to the database. What they arrange or look at past the program is none of its statements: it is neither counted with
 * those nor held to one project (one-project/).
 */
export function db(): Db {
  own ??= drizzle(
    postgres(OWNER_URL, {
      max: 4,
      fetch_types: false,
      onnotice: () => undefined,
      connection: { TimeZone: 'UTC' },
    }),
  );
  return own;
}
