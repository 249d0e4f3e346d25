import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { parseJson } from './json.ts';
import { parseInTurns } from './parse-in-turns.ts';
import type { ScanOptions } from './scan.ts';

async function told(parse: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await parse());
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

const member = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('1.50', '"\\"]"', '[]', '{}', '-0', '[1.0,{"a":[2]}]'),
);
const list = fc.array(member, { maxLength: 12 }).map((items) => `[${items.join(' ,')}]`);
const text = fc
  .array(list, { maxLength: 3 })
  .map((lists) => `{${lists.map((one, at) => `"k${at}":${one}`).join(',')}}`);
const damage = fc.tuple(fc.nat(), fc.constantFrom('', ',', ']', '[', '}', '{', '"', '\\', ' ', ':', '1', '\u00a0'));

test('in pieces it is what it is in one: its values and digits, or why it is refused', async () => {
  const property = fc.asyncProperty(
    text,
    fc.option(damage),
    fc.integer({ min: 1, max: 40 }),
    async (whole, hurt, piece) => {
      const at = hurt ? hurt[0] % whole.length : 0;
      const given = hurt ? whole.slice(0, at) + hurt[1] + whole.slice(at + 1) : whole;
      expect(await told(() => parseInTurns(given, { piece }))).toBe(await told(() => parseJson(given)));
    },
  );
  await fc.assert(property, { numRuns: 3000 });
});

async function countTurns(given: string, options?: ScanOptions): Promise<number> {
  let turns = 0;
  await parseInTurns(given, options, () => {
    turns += 1;
    return undefined;
  });
  return turns;
}

test('others may come first once in so many values, and between two pieces of a list', async () => {
  const values = JSON.stringify({ entry: Array.from({ length: 100_000 }, () => ({ a: 1 })) });
  expect(await countTurns(values)).toBeGreaterThan(60);
  const texts = JSON.stringify({ entry: Array.from({ length: 100 }, () => 'x'.repeat(70_000)) });
  expect(await countTurns(texts)).toBeGreaterThan(99);
});

test('values are counted in all, and in each item of a list, which is told of', async () => {
  const item = '{"a":[1,2,3]}';
  const given = `{"type":"batch","entry":[${item},${item},{"a":[1,2,3,4]}]}`;
  const large: string[] = [];
  const seen = (key: string, at: number) => void large.push(`${key}[${at}]`);
  expect(await told(() => parseInTurns(given, { most: 15, ofEach: { most: 4, seen } }))).toBe(given);
  expect(large).toEqual([]);
  expect(await told(() => parseInTurns(given, { most: 14 }))).toBe('The body has more than 14 values');
  await parseInTurns(given, { ofEach: { most: 3, seen } });
  expect(large).toEqual(['entry[2]']);
});

test('an object has no more members than anybody has a use for', async () => {
  const members = (count: number) => `{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')}}`;
  expect(Object.keys((await parseInTurns(members(50_000))) as object)).toHaveLength(50_000);
  expect(await told(() => parseInTurns(members(50_001)))).toMatch('more than 50000 members');
});
