import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sortOut } from './expected.ts';

const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
const from = 'r4-examples/auditevent-example.json';
const says = 'The server writes the audit log, and nobody changes it';

beforeAll(() => {
  mkdirSync(join(folder, 'r4-examples'));
  writeFileSync(join(folder, from), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('what is refused for the reason that is known is expected, with that reason', () => {
  const sorted = sortOut(folder, [{ from, status: '405 Method Not Allowed', texts: [says] }]);
  expect(sorted).toEqual({ expected: [`${from}: our rule: nobody writes the audit log`], unexpected: [] });
});

test('for any other reason as well, with another status, or elsewhere, it is not', () => {
  const other = { from: 'mine.json', status: '405', texts: [says] };
  const { unexpected } = sortOut(folder, [{ from, status: '405', texts: [says, 'status is required'] }, other]);
  expect(unexpected).toEqual([`${from}: 405 ${says}; status is required`, `mine.json: 405 ${says}`]);
  expect(sortOut(folder, [{ from, status: '400', texts: [says] }]).expected).toEqual([]);
});

test('what goes in all at once is told, of files that are there', () => {
  expect(sortOut(folder, []).unexpected).toEqual([`${from}: is no longer refused (${says})`]);
});
