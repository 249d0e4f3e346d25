import { expect, test } from 'vitest';
import type { Member } from '../api/types.ts';
import { toDateNote } from './date-note.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const note = (fields: Pick<Member, 'period' | 'suspendedUntil'>) =>
  toDateNote({ user: { reference: 'User/a' }, ...fields } as Member, NOW);

test('the date that matters now', () => {
  expect(note({})).toBeUndefined();
  expect(note({ period: { start: '2026-06-01' }, suspendedUntil: '2026-06-10' })).toBeUndefined();
  expect(note({ period: { end: '2026-06-15' } })).toEqual({ state: 'ends', text: 'until 15 Jun 2026' });
  expect(note({ period: { end: '2026-06-14' } })).toEqual({ state: 'ended', text: 'ended 14 Jun 2026' });
  expect(note({ period: { end: '2026-07' } })).toEqual({ state: 'ends', text: 'until Jul 2026' });
  expect(note({ period: { start: '2027', end: '2028' } })).toEqual({ state: 'away', text: 'from 2027' });
  const leave = { period: { start: '2026-01-01', end: '2026-12-31' }, suspendedUntil: '2026-09-01' };
  expect(note(leave)).toEqual({ state: 'away', text: 'on leave until 1 Sept 2026' });
});
