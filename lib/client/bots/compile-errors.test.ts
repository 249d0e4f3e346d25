import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { toCompileErrors, toRange } from './compile-errors.ts';

test('an issue of a deploy becomes its file, line, column and words, colons in the words included', () => {
  const error = new ApiError(400, [{ text: 'index.ts:3:7: Expected ":" but found "x"' }, { text: 'Bots are off' }]);
  expect(toCompileErrors(error)).toEqual([
    { file: 'index.ts', line: 3, column: 7, text: 'Expected ":" but found "x"' },
  ]);
});

test('the range is the word at the place', () => {
  expect(toRange('const a = 1;\nlet wrong = 2;', { file: 'index.ts', line: 2, column: 5, text: '' })).toEqual({
    from: 17,
    to: 22,
  });
});

test('a place outside the text stays inside it', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(50), fc.nat(50), (code, line, column) => {
      const { from, to } = toRange(code, { file: 'f', line: line + 1, column, text: '' });
      return from >= 0 && from <= to && to <= code.length;
    }),
  );
});
