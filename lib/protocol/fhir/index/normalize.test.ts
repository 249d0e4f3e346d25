import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldString, MAX_CONTAINED, MAX_STRING, toEntries } from './normalize.ts';

it('folds case, accents, width and white space', () => {
  const folded = [' Ænne  MÜLLER\n', 'Ｆｕｌｌ', 'İstanbul', 'ΟΔΟΣ', 'Straße', 'Đặng'].map(foldString);
  expect(folded).toEqual(['ænne muller', 'full', 'istanbul', 'οδοσ', 'straße', 'đang']);
});

it('entries are well formed, never longer than the index takes, and hold whatever is short enough to be asked for', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 1500, minLength: 300 });
  fc.assert(
    fc.property(texts, fc.nat(), fc.integer({ min: 1, max: MAX_CONTAINED }), (text, at, length) => {
      const folded = foldString(text);
      const { head, windows } = toEntries(folded);
      for (const entry of [head, ...windows]) {
        expect(entry.length).toBeLessThanOrEqual(MAX_STRING);
        expect(entry.isWellFormed()).toBe(true);
      }
      expect(folded.startsWith(head)).toBe(true);
      const start = at % Math.max(1, folded.length);
      const part = folded.slice(start, start + length);
      if (part.isWellFormed()) expect([head, ...windows].some((entry) => entry.includes(part))).toBe(true);
    }),
  );
});
