import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Db } from '#lib/infra/db/client.ts';

/** Whatever a test does to the program's settings. */
const URL_AT_START = process.env.DATABASE_URL ?? '';
let own: Db | undefined;

/**
 * The tests' own way to the database. What they arrange or look at past the program is none of its statements: it is neither counted with
 * those nor held to one project (one-project/).
 */
export function db(): Db {
  own ??= drizzle(
    postgres(URL_AT_START, {
      max: 4,
      fetch_types: false,
      onnotice: () => undefined,
      connection: { TimeZone: 'UTC' },
    }),
  );
  return own;
}
