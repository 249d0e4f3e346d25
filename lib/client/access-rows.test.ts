import { expect, test } from 'vitest';
import { findUnfinished, toAccessChange, toAccessRows } from './access-rows.ts';
import type { ProjectMembership } from './types.ts';

const WARD = { reference: 'AccessPolicy/ward' };
const KIN = {
  policy: { reference: 'AccessPolicy/kin' },
  parameter: [
    { name: 'patient', valueReference: { reference: 'Patient/p1' } },
    { name: 'unit', valueString: 'B 2' },
  ],
};

function roundTrip(access: Pick<ProjectMembership, 'accessPolicy' | 'access'>) {
  const rows = toAccessRows({
    resourceType: 'ProjectMembership',
    id: 'm',
    project: {},
    user: {},
    profile: {},
    ...access,
  });
  return toAccessChange(rows);
}

test('what was read is written back as it was', () => {
  expect(roundTrip({ accessPolicy: WARD })).toEqual({ accessPolicy: WARD, access: undefined });
  expect(roundTrip({ access: [KIN] })).toEqual({ accessPolicy: undefined, access: [KIN] });
  expect(roundTrip({})).toEqual({ accessPolicy: undefined, access: undefined });
});

test('a policy beside a list joins the list, which means the same', () => {
  expect(roundTrip({ accessPolicy: WARD, access: [KIN] })).toEqual({
    accessPolicy: undefined,
    access: [{ policy: WARD }, KIN],
  });
});

test('a row that would lose what was typed is not finished', () => {
  const row = (policy: string, name: string, value: string) => ({
    key: 'r',
    policy,
    parameters: [{ key: 'p', name, value }],
  });
  expect(findUnfinished(row('AccessPolicy/ward', 'ward', 'B 2'))).toEqual([]);
  expect(findUnfinished(row('', ' ', '')).map(([path]) => path)).toEqual([
    'policy',
    'parameters.0.name',
    'parameters.0.value',
  ]);
});
