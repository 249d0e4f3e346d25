import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyCase, selectFiles } from './select-files.ts';

const FILES = {
  'members.test.ts': "test('a list', () => {});",
  'named.test.ts': "describe('of Members', () => { it('are listed', () => {}); });",
  'quoted.test.ts': 'test(\n  "a member\'s name; members\' too", () => {});',
  'method.test.ts': "test(\n  'a list', () => { /x/.test(name); });",
  'only-inside.test.ts': "test('a list', () => { members(); });",
  'computed.test.ts': `for (const x of y) test(\`each of \${x}\`, () => {});`,
  'each.test.ts': "test.each([['members']])('%s', () => {});",
  'listed-elsewhere.test.ts': 'for (const [name, check] of CASES) test(name, check);',
};
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-select-'));
  mkdirSync(join(folder, 'deep'));
  for (const [name, source] of Object.entries(FILES)) writeFileSync(join(folder, 'deep', name), source);
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a word selects files by path, and by the names of tests, written or put together', () => {
  const { whole, byName } = selectFiles([`${folder}/**/*.test.ts`], 'MEMBERS');
  expect(whole.map((file) => basename(file))).toEqual(['members.test.ts']);
  expect(byName.map((file) => basename(file)).sort()).toEqual([
    'computed.test.ts',
    'each.test.ts',
    'listed-elsewhere.test.ts',
    'named.test.ts',
    'quoted.test.ts',
  ]);
});

test('a word is a pattern for itself alone, in whatever case', () => {
  const pattern = new RegExp(anyCase('$execute (bot)'));
  expect(pattern.test('Runs $EXECUTE (Bot) twice')).toBe(true);
  expect(pattern.test('Runs execute bot twice')).toBe(false);
});
