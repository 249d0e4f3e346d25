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

test('what lies with its project always has one, and is unique within it', async () => {
  const found = await db().execute<{ name: string; is_fit: boolean }>(sql`
    select t.name, bool_and(coalesce(a.attnotnull and a.atttypid = 'uuid'::regtype, false) and not exists (
      select from pg_index i where i.indrelid = t.oid and i.indisunique and a.attnum <> all(i.indkey::int2[]))) as is_fit
    from (${TABLES}) t left join pg_attribute a on a.attrelid = t.oid and a.attname = 'project_id' group by t.name`);
  const unfit = found.filter(
    ({ name, is_fit: isFit }) => PLACEMENT[name as keyof typeof PLACEMENT] === 'distributed' && !isFit,
  );
  expect(unfit).toEqual([]);
});
