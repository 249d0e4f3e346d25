import { expect, test } from 'vitest';
import type { Member } from '../api/types.ts';
import { findUnfinished, isFullAccess, newAccessRow, toAccessChange, toAccessRows } from './access-rows.ts';

const WARD = { reference: 'AccessPolicy/ward' };
const KIN = {
  policy: { reference: 'AccessPolicy/kin' },
  parameter: [
    { name: 'patient', valueReference: { reference: 'Patient/p1' } },
    { name: 'unit', valueString: 'B 2' },
  ],
};

type Access = Pick<Member, 'accessPolicy' | 'access'>;

function memberWith(access: Access): Member {
  return { resourceType: 'ProjectMembership', id: 'm', project: {}, user: {}, profile: {}, ...access };
}

function roundTrip(access: Access) {
  return toAccessChange(toAccessRows(memberWith(access)));
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

test('full access is what comes of taking the last policy away, not of a row that waits for its policy', () => {
  expect(isFullAccess(memberWith({ accessPolicy: WARD }), [])).toBe(true);
  expect(isFullAccess(memberWith({ access: [KIN] }), [])).toBe(true);
  expect(isFullAccess(memberWith({ accessPolicy: WARD }), [newAccessRow()])).toBe(false);
  expect(isFullAccess(memberWith({}), [])).toBe(false);
});

test('from when and until when a policy is given is kept as it was, and stays a list', () => {
  const access = [{ policy: WARD, period: { start: '2030-01-01T10:00:00Z', end: '2030-02-01' } }];
  expect(roundTrip({ access })).toEqual({ accessPolicy: undefined, access });
  const [row] = toAccessRows(
    memberWith({ access: [{ policy: WARD, period: { start: '2030-03-01', end: '2030-02-01' } }] }),
  );
  expect(findUnfinished(row!).map(([path]) => path)).toEqual(['dates.end']);
});
