import { expect, test } from 'vitest';
import { steadyValues } from './steady-values.ts';

const made = { action: 'create', target: 'Basic/0197a1b2-0000-7000-8000-000000000001' };
const id = made.target.slice('Basic/'.length);

test('what is the same each time is expected as a whole', () => {
  for (const value of [
    { a: [1, { b: 'x' }] },
    'text',
    3,
    null,
    [],
    { resourceType: 'Basic', id: 'x', meta: { versionId: '1' } },
  ])
    expect(steadyValues(value, [made])).toEqual([{ path: '', value }]);
});

test('ids of what was made, and when what was changed was written, are left out; the rest is expected piece by piece', () => {
  const value = {
    made: {
      resourceType: 'Basic',
      id,
      meta: { versionId: '1', lastUpdated: 'now', tag: [{ code: 't' }] },
      code: { text: 'x' },
    },
    list: [`Basic/${id}`, 'same', { to: { reference: made.target, display: 'd' } }],
    'a.b': id,
    count: 1,
  };
  expect(steadyValues(value, [made])).toEqual([
    { path: 'made.resourceType', value: 'Basic' },
    { path: 'made.meta.tag', value: [{ code: 't' }] },
    { path: 'made.code', value: { text: 'x' } },
    { path: 'list[1]', value: 'same' },
    { path: 'list[2].to.display', value: 'd' },
    { path: 'count', value: 1 },
  ]);
  const updated = { resourceType: 'Patient', id: 'p', meta: { versionId: '7', lastUpdated: 'now' }, active: true };
  expect(steadyValues(updated, [{ action: 'update', target: 'Patient/p' }])).toEqual([
    { path: 'resourceType', value: 'Patient' },
    { path: 'id', value: 'p' },
    { path: 'active', value: true },
  ]);
  expect(steadyValues(id, [made])).toEqual([]);
});
