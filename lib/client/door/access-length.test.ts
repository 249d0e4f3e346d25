import { expect, test } from 'vitest';
import { tellLength } from './access-length.ts';

test('how long an app is let in is said in whole units', () => {
  expect(tellLength({ seconds: 3600 })).toBe('This lasts 1 hour. Then it has to ask again.');
  expect(tellLength({ seconds: 5400 })).toContain('90 minutes');
  expect(tellLength({ seconds: 61 })).toContain('61 seconds');
  expect(tellLength({ unusedSeconds: 1_209_600 })).toContain('is not used for 2 weeks.');
  expect(tellLength({ unusedSeconds: 1800, atMostSeconds: 43_200 })).toContain('30 minutes, and 12 hours at most.');
});
