import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pretty } from './pretty.ts';

test('any JSON is as JSON.stringify indents it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = JSON.parse(text);
      expect(pretty(JSON.stringify(value))).toBe(`${JSON.stringify(value, null, 2)}\n`);
    }),
  );
});

test('numbers stay as they were written, and so does text that looks like JSON', () => {
  expect(pretty('{"a":1.50,"b":1.0e3,"c":"{\\"x\\":[1,2]}\\\\"}')).toBe(
    '{\n  "a": 1.50,\n  "b": 1.0e3,\n  "c": "{\\"x\\":[1,2]}\\\\"\n}\n',
  );
});

test('what is nested deeply does not grow by its square', () => {
  const text = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  expect(pretty(text).length).toBeLessThan(text.length * 60);
});
