import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { db } from '#lib/testing/set-up/own-db.ts';
import { toTextArray } from './text-array.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).filter((value) => !value.includes('\u0000')),
  fc.json({ maxDepth: 2 }).filter((value) => !value.includes('\u0000')),
  fc.constantFrom('', 'NULL', '"', '\\', '\\"', 'a\nb"', '\t"\\', '\u007f"', '\u2028"', '{},', '{"a":"\\"b\\n"}'),
);

test('PostgreSQL reads back the very texts: quotes, backslashes, control characters, JSON', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 8 }), async (values) => {
      const [row] = await db().execute<{ found: string }>(
        sql`select to_json(${toTextArray(values)}::text[])::text as found`,
      );
      expect(JSON.parse(row!.found)).toEqual(values);
    }),
    { numRuns: 200 },
  );
});
