import { expect, test } from 'vitest';
import { isLongInJson } from './is-long-in-json.ts';

test.each([
  ['', false],
  ['a text\nof\tlines\r\n', false],
  [`${'a'.repeat(100)}\u0001`, false],
  ['\u0001', true],
  ['a\u0000b', true],
  [`${'a'.repeat(10)}\u001f`, true],
])('%j', (text, isLong) => {
  expect(isLongInJson(text)).toBe(isLong);
  const inBase64 = Buffer.from(text).toString('base64').length;
  if (!isLong) expect(JSON.stringify(text).length).toBeLessThanOrEqual(2 + text.length * (1 + 5 / 15) + 10);
  else expect(inBase64).toBeLessThan(JSON.stringify(text).length);
});
