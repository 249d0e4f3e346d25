import { expect, test } from 'vitest';
import { wordsOf } from './words-of.ts';

test.each([
  ['Bone, liver & METASTASES.', ['bone', 'liver', 'metastases']],
  ['Körpergewicht: 6.5kg', ['korpergewicht', '6', '5kg']],
  ["l’hôpital d'Évry – e\u0301", ['l', 'hopital', 'd', 'evry', 'e']],
  ['COVID-19 met\u00adasta\u00adses', ['covid', '19', 'metastases']],
  ['ﬁbrose ΟΔΟΣ οδος', ['fibrose', 'οδοσ', 'οδοσ']],
  ['糖尿病 (type2) ガン', ['糖', '尿', '病', 'type2', 'カ', 'ン']],
  ['боль в груди', ['боль', 'в', 'груди']],
  [' \n--&& ', []],
])('words are letters and digits, whatever their case and accents: %s', (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

test('a million characters are read in one pass', () => {
  expect(wordsOf('ä-'.repeat(500_000))).toHaveLength(500_000);
  expect(wordsOf('ä'.repeat(1_000_000))).toHaveLength(1);
});
