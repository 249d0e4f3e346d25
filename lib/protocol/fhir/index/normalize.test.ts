import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldString, MAX_STRING, normalizeString } from './normalize.ts';

it('folds case, accents, width and white space', () => {
  const folded = [' Ænne  MÜLLER\n', 'Ｆｕｌｌ', 'İstanbul', 'ΟΔΟΣ', 'Straße', 'Đặng'].map(foldString);
  expect(folded).toEqual(['ænne muller', 'full', 'istanbul', 'οδοσ', 'straße', 'đang']);
});

it('is stable, well formed and never longer than the index takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 900 }), (text) => {
      const once = normalizeString(text);
      expect(once.length).toBeLessThanOrEqual(MAX_STRING);
      expect(once.isWellFormed()).toBe(true);
      expect(foldString(once).startsWith(foldString(once.slice(0, 5).toWellFormed()).slice(0, 3))).toBe(true);
    }),
  );
});
