import { expect, it } from 'vitest';
import { isSound } from './is-sound.ts';
import { SANDBOX_LIMITS } from './limits.ts';

const long = (characters: number) => 'x'.repeat(characters + 1000);

it.each([
  [['ready']],
  [['free', 1, 2]],
  [['lost', -1]],
  [['call', 1, 1, 'search', '[]']],
  [['log', 1, 'warn', 'x']],
  [['done', 1, 'json', '{}', null, null]],
  [['failed', 1, 'threw', 'x', 'x', '{}', 1, null]],
  [['failed', 1, 'threw', 'x', undefined, undefined, null, null]],
])('%j is sound', (message) => expect(isSound(message)).toBe(true));

it.each([
  ['no message', { 0: 'ready' }],
  ['an unknown one', ['eval', 1]],
  ['a run of no number', ['free', '1']],
  ['isolates of no number', ['free', 1]],
  ['more isolates than there can be', ['free', 1, 1e9]],
  ['an unknown method', ['call', 1, 1, 'constructor', '[]']],
  ['long arguments', ['call', 1, 1, 'search', long(SANDBOX_LIMITS.callBytes)]],
  ['an unknown level', ['log', 1, 'lo\u0000g', 'x']],
  ['a long line', ['log', 1, 'log', long(SANDBOX_LIMITS.logBytes)]],
  ['an unknown kind', ['done', 1, 'function', '', null, null]],
  ['a result that is no text', ['done', 1, 'json', {}, null, null]],
  ['a long result', ['done', 1, 'string', long(SANDBOX_LIMITS.resultBytes), null, null]],
  ['a long outcome', ['done', 1, 'outcome', long(SANDBOX_LIMITS.outcomeBytes), null, null]],
  ['an unknown reason', ['failed', 1, 'because', 'x', undefined, undefined, null, null]],
  ['no detail', ['failed', 1, 'threw', null, undefined, undefined, null, null]],
  ['a long message', ['failed', 1, 'threw', long(SANDBOX_LIMITS.errorCharacters), undefined, undefined, null, null]],
  ['a stack that is no text', ['failed', 1, 'threw', 'x', [], undefined, null, null]],
])('not %s', (_, message) => expect(isSound(message)).toBe(false));
