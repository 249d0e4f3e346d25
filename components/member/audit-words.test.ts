import { expect, test } from 'vitest';
import { toActionWords } from './audit-words.ts';

test('an action that has no words of its own here is said as in the project’s activity', () => {
  expect(toActionWords('membership.undo')).toBe('A change was undone');
  expect(toActionWords('bot.deploy')).toBe('Deployed the bot');
});
