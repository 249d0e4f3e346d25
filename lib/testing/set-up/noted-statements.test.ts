import { expect, it } from 'vitest';
import { mergeStatements, notedStatements, noteStatement } from './noted-statements.ts';

it('parameters are one as long as they always have one value, wherever the statement was sent', () => {
  const text = 'select $1, $2, $3, $4';
  const equals = () => notedStatements().find((one) => one.text === text)?.equals;
  noteStatement(text, ['a', 'a', 'a', 'a']);
  expect(equals()).toEqual([0, 0, 0, 0]);
  noteStatement(text, ['b', 'b', 'c', 'c']);
  expect(equals()).toEqual([0, 0, 2, 2]);
  noteStatement(text, ['d', 'd', 'd', 'd']);
  expect(equals()).toEqual([0, 0, 2, 2]);
  const elsewhere = { text, equals: [0, 1, 0, 1], sample: ['e', 'f', 'e', 'f'] };
  expect(mergeStatements([...notedStatements(), elsewhere]).find((one) => one.text === text)?.equals).toEqual([
    0, 1, 2, 3,
  ]);
});
