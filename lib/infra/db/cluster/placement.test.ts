import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { db } from '../client.ts';
import { PLACEMENT } from './placement.ts';

const TABLES = sql`
  select c.oid, c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`;

test('every table has a place, and every place a table', async () => {
  const found = await db().execute<{ name: string }>(TABLES);
  expect(found.map(({ name }) => name).sort()).toEqual(Object.keys(PLACEMENT).sort());
});
