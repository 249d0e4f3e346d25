import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCsv } from './to-csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1'])('%j cannot run as a formula', (text) => {
  expect(toCsv(['h'], [[text]])).toMatch(/^h\r\n"?'/);
});

test('no cell of any text begins a formula, and every text can be read back', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), (rows) => {
      const [, ...read] = parse(toCsv(['a', 'b'], rows));
      expect(read.map((row) => row.map((cell) => cell.replace(/^'(?='*[=+\-@\t\r\n＝＋－＠])/, '')))).toEqual(rows);
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    }),
    { examples: [[[["'@", "''=1"]]], [[["'t Hooft", "'"]]]] },
  );
});

test('numbers and empty cells stay as they are', () => {
  expect(toCsv(['a', 'b', 'c'], [[-1, null, undefined]])).toBe('a,b,c\r\n-1,,\r\n');
});

/** RFC 4180, read the simple way. */
function parse(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n"]*)(,|\r\n)/g)];
  const rows: string[][] = [[]];
  for (const [, cell = '', end] of cells) {
    rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
