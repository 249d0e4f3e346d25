import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { numberOf, parseJson } from './json.ts';

const decimals = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);

describe('parseJson', () => {
  it.each(['1.50', '[1.0,2.00]', '{"a":1e3,"b":-0}', '{"a":12345678901234567890.5}', '{"a":0.10 }'])(
    'keeps the digits of %s',
    (text) => {
      expect(JSON.stringify(parseJson(text))).toBe(text.replaceAll(' ', ''));
    },
  );

  it('leaves ordinary numbers, and digits inside strings, alone', () => {
    expect(parseJson('{"a":1.5,"b":"1.50, 2.0 ","c":[0,10]}')).toEqual({ a: 1.5, b: '1.50, 2.0 ', c: [0, 10] });
  });

  it('gives the number of a kept decimal', () => {
    const { a } = parseJson('{"a":1.50}') as { a: unknown };
    expect(numberOf(a)).toBe(1.5);
    expect(numberOf('1.5')).toBeUndefined();
  });

  it.each([
    ['', 'not valid JSON'],
    ['{"a":1', 'not valid JSON'],
    ['{"a":1,"a":2}', 'stands twice'],
    ['{"a":1,"\\u0061":2}', 'stands twice'],
    ['{"x":[{"a":{"__proto__":1}}]}', 'not allowed'],
    ['{"constructor":{"prototype":{}}}', 'not allowed'],
    [`${'['.repeat(101)}${']'.repeat(101)}`, 'nested'],
    [`${'['.repeat(200_000)}`, 'nested'],
    [`{"a":${'1'.repeat(11_000)}}`, 'more than 10000 characters'],
    [`{"a":1${' '.repeat(11_000)}}`, 'more than 10000 characters'],
    [' '.repeat(11_000), 'more than 10000 characters'],
  ])('refuses %.30s', (text, reason) => {
    expect(() => parseJson(text)).toThrow(reason);
  });

  it('accepts a long list of numbers, and the white space between them', () => {
    const numbers = Array.from({ length: 20_000 }, (_, at) => at);
    expect(parseJson(JSON.stringify(numbers))).toEqual(numbers);
    expect(parseJson(JSON.stringify({ numbers }, null, 100))).toEqual({ numbers });
  });

  it('accepts the same key in different objects and as a value', () => {
    const text = '{"a":{"b":"a"},"c":[{"a":1},{"a":2}],"constructor":"Ferrari"}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('reads what JSON.stringify writes, and throws nothing but AppError', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        if (!text.includes('__proto__') && !text.includes('constructor')) {
          expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)));
        }
      }),
    );
    fc.assert(
      fc.property(decimals, (text) => {
        expect(JSON.stringify(parseJson(`{"a":[${text} ]}`))).toBe(`{"a":[${text}]}`);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseJson(text);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
    );
  });
});
