import { expect, test } from 'vitest';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { type BotFilter, categoryOptions, fits, isFiltered } from './filters.ts';

const NONE: BotFilter = { q: '', show: 'all', trigger: 'all', category: 'all' };
const bot = (of: Partial<BotRow> = {}) =>
  ({
    ...{ name: 'Intake', description: null, identifier: [{ system: 's', value: 'in' }], category: ['Lab'] },
    ...{ triggers: ['cron'], live: 2, draft: false, failing: false, isOff: false },
    ...of,
  }) as BotRow;

test('each filter leaves out what it does not say, and all of them must fit', () => {
  const cases: [Partial<BotFilter>, Partial<BotRow>, boolean][] = [
    [{}, {}, true],
    [{ q: ' INTAKE ' }, {}, true],
    [{ q: 's|in' }, {}, true],
    [{ q: 'other' }, {}, false],
    [{ show: 'failing' }, {}, false],
    [{ show: 'failing' }, { failing: true }, true],
    [{ show: 'ahead' }, { draft: true }, true],
    [{ show: 'ahead' }, { draft: true, live: null }, false],
    [{ show: 'undeployed' }, { live: null }, true],
    [{ show: 'undeployed' }, {}, false],
    [{ show: 'off' }, { isOff: true }, true],
    [{ show: 'off' }, {}, false],
    [{ trigger: 'cron' }, {}, true],
    [{ trigger: 'hl7' }, {}, false],
    [{ category: 'Lab' }, {}, true],
    [{ category: 'lab' }, {}, false],
    [{ category: 'Lab', trigger: 'hl7' }, {}, false],
  ];
  for (const [filter, of, wanted] of cases)
    expect([filter, fits(bot(of), { ...NONE, ...filter })]).toEqual([filter, wanted]);
  expect([NONE, { ...NONE, trigger: 'cron' as const }, { ...NONE, q: 'a' }].map(isFiltered)).toEqual([
    false,
    true,
    true,
  ]);
});

test('categories are those that bots have, and the one that the address asks for', () => {
  const options = (bots: BotRow[], asked = 'all') => categoryOptions(bots, asked).map(({ value }) => value);
  expect(options([bot({ category: [] })])).toEqual([]);
  expect(options([bot({ category: ['b', 'a'] }), bot({ category: ['a'] })])).toEqual(['all', 'a', 'b']);
  expect(options([], 'gone')).toEqual(['all', 'gone']);
});
