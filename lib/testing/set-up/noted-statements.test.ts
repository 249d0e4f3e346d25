import { expect, it } from 'vitest';
import { drawsItsQuestions, mergeStatements, notedStatements, noteStatement } from './noted-statements.ts';

it('parameters are one as long as they always have one value, wherever the statement was sent', () => {
  const text = 'select $1, $2, $3, $4';
  const equals = () => notedStatements().find((one) => one.text === text)?.equals;
  noteStatement(text, ['a', 'a', 'a', 'a']);
  expect(equals()).toEqual([0, 0, 0, 0]);
  noteStatement(text, ['b', 'b', 'c', 'c']);
  expect(equals()).toEqual([0, 0, 2, 2]);
  noteStatement(text, ['d', 'd', 'd', 'd']);
  expect(equals()).toEqual([0, 0, 2, 2]);
  const elsewhere = { text, equals: [0, 1, 0, 1], sample: ['e', 'f', 'e', 'f'], drawn: false };
  expect(mergeStatements([...notedStatements(), elsewhere]).find((one) => one.text === text)?.equals).toEqual([
    0, 1, 2, 3,
  ]);
});

it('is drawn by chance as long as only files that say so have sent it', () => {
  const drawn = (text: string) => notedStatements().find((one) => one.text === text)?.drawn;
  drawsItsQuestions();
  noteStatement('select 101', []);
  noteStatement('select 102', []);
  drawsItsQuestions(false);
  noteStatement('select 102', []);
  expect([drawn('select 101'), drawn('select 102')]).toEqual([true, false]);
  const one = (is: boolean) => ({ text: 'select 3', equals: [], sample: [], drawn: is });
  expect(mergeStatements([one(true), one(false), one(true)])).toEqual([one(false)]);
  expect(mergeStatements([one(true), one(true)])).toEqual([one(true)]);
});
