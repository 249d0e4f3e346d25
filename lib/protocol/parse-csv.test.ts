import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';
import { parseCsv } from './parse-csv.ts';

test('quotes, commas and line breaks inside a cell stay in it', () => {
  expect(parseCsv('a,b\r\n"x, ""y""\nz",2\r\n')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', '2'],
  ]);
});

test('semicolons, tabs, a byte order mark and empty lines are what spreadsheets write', () => {
  expect(parseCsv('\uFEFFa;b\n\n1;2\n;\n')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
  expect(parseCsv('a\tb\n1\t2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('what toCsv writes comes back as it was', () => {
  const cell = fc.stringMatching(/^[a-z][a-z ,"';\n]*[a-z]$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      expect(parseCsv(toCsv(['a', 'b'], rows))).toEqual([['a', 'b'], ...rows]);
    }),
  );
});
