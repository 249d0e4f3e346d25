import { expect, test } from 'vitest';
import type { RunContent } from './bot-runs.ts';
import { isNote, isReplayable } from './is-note.ts';

const input: RunContent = { kind: 'json', bytes: 1, text: '{}', isKept: true, isCut: false };

test.each([
  ['what was given nothing', { version: 1, input: null }, true],
  ['what was given something', { version: 1, input }, true],
  ['what was given something, and whose version is not known', { version: null, input }, true],
  ['what was not kept', { version: 1, input: { ...input, isKept: false } }, false],
  ['what was kept in part', { version: 1, input: { ...input, isCut: true } }, false],
  ['the note of a run that was not begun', { version: null, input: null }, false],
])('%s is run again, or not', (_, run, isSo) => {
  expect(isReplayable(run)).toBe(isSo);
});

test('only what has neither a version nor an input is a note', () => {
  expect(isNote({ version: null, input: null })).toBe(true);
  expect(isNote({ version: 1, input: null })).toBe(false);
  expect(isNote({ version: null, input })).toBe(false);
});
