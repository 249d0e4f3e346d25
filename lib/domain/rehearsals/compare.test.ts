import { expect, test } from 'vitest';
import type { DryRun } from '#lib/protocol/bots/dry-run.ts';
import { compare } from './compare.ts';

const run = (text: string, kind: 'string' | 'json' = 'json'): DryRun => ({
  ...{ version: 1, ok: true, output: { kind, text }, failure: null, logs: [], calls: [], writes: [], durationMs: 1 },
});
const all = (value: unknown, count = 1) => ({
  ok: true,
  output: Array.from({ length: count }, () => ({ path: '', value: value as string })),
});

test('what is not as expected is told with what was found', async () => {
  const output = [
    { path: 'a[1].b', value: 2 },
    { path: 'a[0]', value: 1 },
    { path: 'toString', value: 'x' },
  ];
  expect(await compare(run('{"a":[1,{"b":3}]}'), { ok: true, output })).toEqual([
    { at: 'output.a[1].b', expected: 2, found: 3 },
    { at: 'output.toString', expected: 'x', found: undefined },
  ]);
  expect(await compare(run('x', 'string'), all('x'))).toEqual([]);
});

test('of long values a beginning is told, or how long they are, however often they are asked for', async () => {
  const [first, ...others] = await compare(run('x'.repeat(500_000), 'string'), all('y', 50));
  expect(others).toHaveLength(49);
  expect(first!.found).toBe(`${'x'.repeat(4096)}…`);
  const late = await compare(run(`${'x'.repeat(9000)}yz`, 'string'), all(`${'x'.repeat(9000)}Yz`));
  expect(late).toEqual([{ at: 'output', expected: `…${'x'.repeat(80)}Yz`, found: `…${'x'.repeat(80)}yz` }]);
  const list = await compare(run(JSON.stringify(Array.from({ length: 100_000 }, () => 0))), all([]));
  expect(list).toEqual([{ at: 'output', expected: [], found: 'A list of 100000, too long to be shown' }]);
  const deep = await compare(run(JSON.stringify({ a: { b: 'z'.repeat(5000) }, c: 1 })), all(1));
  expect(deep[0]!.found).toBe('An object of 2 members, too long to be shown');
});

test('what is too long to be compared is said to be, and is not parsed where nobody asks', async () => {
  const dense = `[${'[],'.repeat(1_000_000)}[]]`;
  expect(await compare(run(dense), { ok: true })).toEqual([]);
  expect(await compare(run(dense), { ok: true, output: [] })).toEqual([]);
  const [one, ...others] = await compare(run(dense), all(1, 3));
  expect([one!.found, others]).toEqual([expect.stringMatching(/^3000004 characters/), []]);
});
