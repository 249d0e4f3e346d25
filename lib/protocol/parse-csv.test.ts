import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';
import { toCsv } from './to-csv.ts';

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

test('the first line says what separates, whatever stands in the others', () => {
  expect(parseCsv('email;note\na@b.example;one, two, three\nc@b.example;four, five, six\n')).toEqual([
    ['email', 'note'],
    ['a@b.example', 'one, two, three'],
    ['c@b.example', 'four, five, six'],
  ]);
});

test('both line endings in one text, short lines and an open quote at the end are read', () => {
  expect(parseCsv('a,b\r\n 1 ,"2"\n3\r\n"4" ,"open, to the end')).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3'],
    ['4', 'open, to the end'],
  ]);
  expect(parseCsv('')).toEqual([]);
});

test('what toCsv writes comes back as it was', () => {
  const cell = fc.stringMatching(/^[a-z][a-z ,"';\n]*[a-z]$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      expect(parseCsv(toCsv(['a', 'b'], rows))).toEqual([['a', 'b'], ...rows]);
    }),
  );
});
