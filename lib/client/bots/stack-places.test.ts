import { expect, test } from 'vitest';
import { formatPlace, parsePlace, toPieces } from './stack-places.ts';

test('places in the source are told from what else stands in a stack', () => {
  const stack = 'TypeError: no ward 7:3:1\n    at handler (index.ts:3:9)\n    at lib/read-ward.mjs:12:40';
  expect(toPieces(stack)).toEqual([
    'TypeError: no ward 7:3:1\n    at handler (',
    { file: 'index.ts', line: 3, column: 9 },
    ')\n    at ',
    { file: 'lib/read-ward.mjs', line: 12, column: 40 },
  ]);
  for (const none of ['', 'index.ts', 'index.ts:3', 'https://x.example/index.ts:3:9', '/etc/index.ts:3:9', 'a.tsv:1:1'])
    expect(toPieces(none)).toEqual(none ? [none] : []);
});

test('a place is read as it was written, and nothing else is', () => {
  const place = { file: 'a/b.ts', line: 3, column: 9 };
  expect(parsePlace(formatPlace(place))).toEqual(place);
  for (const none of ['', 'x', 'index.ts:3:9 and more', 'index.ts:3']) expect(parsePlace(none)).toBeUndefined();
});
