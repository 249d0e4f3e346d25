import { expect, test } from 'vitest';
import { isOvertaken, toPartDraft } from './part-draft.ts';

const STORED = { name: 'Nightly', description: '', timeout: '10' };

test('a form that is as it is stored is no draft; what is typed goes by what stood there when that was begun', () => {
  expect(toPartDraft(undefined, STORED, STORED)).toBeUndefined();
  const begun = toPartDraft(undefined, STORED, { ...STORED, name: 'Mine' })!;
  expect(begun).toEqual({ changed: { name: 'Mine' }, base: { name: 'Nightly' } });

  // Somebody else called it otherwise meanwhile: the form keeps what is typed, over another text.
  const theirs = { ...STORED, name: 'Theirs', timeout: '20' };
  const later = toPartDraft(begun, theirs, { ...theirs, name: 'Mine, too', description: 'Of the lab' })!;
  expect(later.base).toEqual({ name: 'Nightly', description: '' });
  expect(isOvertaken(theirs, later)).toBe(true);
  expect(isOvertaken({ ...STORED, timeout: '20' }, later), 'another field').toBe(false);
  // What it was once is not what it is now.
  expect(isOvertaken(theirs, toPartDraft(later, theirs, { ...theirs, name: 'Nightly' })!)).toBe(true);
  // Both say the same, or it is taken back.
  expect(toPartDraft(later, theirs, theirs)).toBeUndefined();
});

test('of a draft that a release before kept nobody knows what it was begun on', () => {
  expect(isOvertaken(STORED, { changed: { name: 'Mine' }, base: {} })).toBe(false);
});
