import { expect, onTestFinished, test } from 'vitest';
import type { Resource } from '../types.ts';
import { extractWords } from './extract-words.ts';
import { narrativeText } from './narrative-text.ts';
import { tellTextSearch } from './text-search.ts';

function extracted(text: string) {
  tellTextSearch('long', { number: 1, isReady: true });
  onTestFinished(() => tellTextSearch('long', undefined));
  return extractWords('long', { resourceType: 'Patient', name: [{ text }] } as Resource);
}

test.each([
  ['marks', '\u0301', 0],
  ['letters', 'я', 1],
])('of a text of millions of %s there are words', (_, character, most) => {
  expect(extracted(character.repeat(8_000_000))[0]?.words.length ?? 0).toBeLessThanOrEqual(500 * most);
});

test('a long text has the words and the phrases of a short one, wherever it is cut', () => {
  const all = Array.from({ length: 40_000 }, (_, n) => `Wörd${n % 90}`);
  const [entry] = extracted(all.join(' \n'));
  expect([entry!.words.length, entry!.text]).toEqual([90, ` ${all.join(' ').toLowerCase().replaceAll('ö', 'o')} `]);
});

test('each entity of a long narrative is the character that it stands for', () => {
  const div = `<div>${'&ouml;&#246; '.repeat(20_000)}</div>`;
  expect(narrativeText(div).trim().split(/\s+/)).toEqual(Array.from({ length: 20_000 }, () => 'öö'));
});
