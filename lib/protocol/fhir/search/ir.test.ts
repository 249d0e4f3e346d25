import { expect, test } from 'vitest';
import { NOTHING } from '../index/extract.ts';
import { type Expr, evaluate, type StringMatch } from './ir.ts';

test('thousands of alternatives of a record with thousands of tokens take no time that others would wait for', () => {
  const tokens = Array.from({ length: 10_000 }, (_, at) => BigInt(at) << 40n);
  const ask = (anyOf: bigint[]): Expr => ({ op: 'token', anyOf, selective: true });
  const rules = Array.from({ length: 500 }, (_, rule) =>
    ask(Array.from({ length: 60 }, (_, at) => (BigInt(rule * 60 + at) << 40n) + 1n)),
  );
  const row = { id: 'x', lastUpdated: new Date() };
  const begun = process.threadCpuUsage().user;
  expect(evaluate({ op: 'or', args: rules }, { ...NOTHING, tokens }, row)).toBe(false);
  expect(evaluate(ask([7n, 9999n << 40n]), { ...NOTHING, tokens }, row)).toBe(true);
  expect((process.threadCpuUsage().user - begun) / 1000).toBeLessThan(500);
});

test('many texts of a record answer as few do, and none of them waits for all', () => {
  const row = { id: 'x', lastUpdated: new Date() };
  const words = ['', 'a', 'ab', 'abc', 'b', 'z\uffff', 'é', '😀', 'ab😀', 'f19999', 'f2'];
  const strings = Array.from({ length: 20_000 }, (_, at) => ({ param: at % 2, value: `f${at}` }));
  const all = [...strings, ...['abc', '😀x', 'éa'].map((value) => ({ param: 0, value }))];
  const ask = (values: StringMatch[], of = all) =>
    evaluate({ op: 'string', param: 0, values }, { ...NOTHING, strings: of }, row);
  for (const value of words) {
    for (const mode of ['prefix', 'exact', 'contains'] as const) {
      const one = all.some((text) => ask([{ value, mode }], [text]));
      expect([value, mode, ask([{ value, mode }])]).toEqual([value, mode, one]);
    }
  }
  const begun = process.threadCpuUsage().user;
  expect(ask(Array.from({ length: 40_000 }, (_, at) => ({ value: `z${at}`, mode: 'prefix' as const })))).toBe(false);
  expect((process.threadCpuUsage().user - begun) / 1000).toBeLessThan(500);
});
