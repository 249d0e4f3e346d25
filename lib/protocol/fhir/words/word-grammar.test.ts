import { expect, test } from 'vitest';
import { MAX_WORDS, readWordTree } from './word-grammar.ts';

const read = (text: string) => readWordTree(text, (what) => new Error(what), { words: MAX_WORDS });
const [bone, liver, old] = ['bone', 'liver', 'old'].map((word) => ({ phrase: [word] }));

test.each([
  ['bone', bone],
  ['BONE  liver', { all: [bone, liver] }],
  ['bone AND liver or old', { any: [{ all: [bone, liver] }, old] }],
  ['(bone OR liver) and old', { all: [{ any: [bone, liver] }, old] }],
  ['old(bone or liver)', { all: [old, { any: [bone, liver] }] }],
  ['"Bone, liver" old', { all: [{ phrase: ['bone', 'liver'] }, old] }],
  ['"and" "not"', { all: [{ phrase: ['and'] }, { phrase: ['not'] }] }],
  ['covid-19', { phrase: ['covid', '19'] }],
  [`${'('.repeat(10)}bone${')'.repeat(10)}`, bone],
])('%s', (text, tree) => {
  expect(read(text)).toEqual(tree);
});

test.each([
  ['(bone', 'A ( is not closed'],
  ['bone)', 'A ) closes nothing'],
  ['bone or', 'A word is missing'],
  ['and bone', 'A word is missing'],
  ['()', 'A word is missing'],
  ['   ', 'A word is missing'],
  ['(bone or) liver', 'A word is missing'],
  ['"bone', 'A " has no end'],
  ['""', 'has no letter'],
  ['bone & liver', 'has no letter'],
  ['metas*', '* is not supported'],
  ['bone not liver', 'not is not supported'],
  ['bone -liver', '- before a word'],
  ['a '.repeat(51), 'at most 50 words'],
  ['a'.repeat(1001), 'more than 1000 characters'],
  [`${'('.repeat(11)}a${')'.repeat(11)}`, 'more than 10 parentheses'],
])('%s is refused', (text, told) => {
  expect(() => read(text)).toThrow(told);
});
