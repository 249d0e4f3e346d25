import { expect, test } from 'vitest';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import { countTurns } from '#lib/testing/count-turns.ts';
import { isResourceWithin } from './within-reach.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
const NAMES = 20_000;
const RULES = 400;

const name = Array.from({ length: NAMES }, (_, at) => ({ family: `Name ${at} of one person` }));
const patient = { resourceType: 'Patient', id: 'a', name } as const;
const { id: param } = searchParam('Patient', 'name')!;
const rules = Array.from({ length: RULES }, (_, at): Expr => {
  return { op: 'string', param, values: [{ value: `nobody ${at}`, mode: 'contains' }] };
});

test('of many rules, each of which looks through all that a record has, others are answered between', async () => {
  const one = await turnsOf(rules[0]!);
  const all = await turnsOf({ op: 'or', args: rules });
  expect([one.isWithin, all.isWithin]).toEqual([false, false]);
  expect(all.turns).toBeGreaterThan(one.turns + 5);
});

test('one that holds is enough, and of what must hold together each', async () => {
  const own: Expr = { op: 'or', args: [...rules, { op: 'id', anyOf: ['a'] }] };
  const other: Expr = { op: 'id', anyOf: ['b'] };
  expect(await isResourceWithin(own, PROJECT, patient)).toBe(true);
  expect(await isResourceWithin({ op: 'and', args: [{ op: 'all' }, own] }, PROJECT, patient)).toBe(true);
  expect(await isResourceWithin({ op: 'and', args: [own, other] }, PROJECT, patient)).toBe(false);
  expect(await isResourceWithin({ op: 'and', args: [] }, PROJECT, patient)).toBe(true);
  expect(await isResourceWithin({ op: 'or', args: [] }, PROJECT, patient)).toBe(false);
});

/** How often others had their turn meanwhile. */
async function turnsOf(reach: Expr): Promise<{ isWithin: boolean; turns: number }> {
  const turns = countTurns();
  const isWithin = await isResourceWithin(reach, PROJECT, patient);
  return { isWithin, turns: turns() };
}
