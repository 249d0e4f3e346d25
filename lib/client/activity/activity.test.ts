import { expect, test } from 'vitest';
import { type ActivitySearch, toAuditQuery } from './activity.ts';
import { toPhrase } from './words.ts';

test.each([
  [{ admin: false, active: true }, { admin: true, active: true }, 'gave administration to'],
  [{ admin: true, active: true }, { admin: false, active: true }, 'took administration from'],
  [{ admin: true, active: true }, { admin: true, active: false }, 'deactivated'],
  [{ admin: true, active: false }, { admin: true, active: true }, 'reactivated'],
  [{ admin: true, active: true }, { admin: true, active: true }, 'changed the membership of'],
  [null, undefined, 'changed the membership of'],
])('a membership from %j to %j: somebody %s them', (before, after, words) => {
  expect(toPhrase('membership.update', before, after)).toBe(words);
});

const ALL: ActivitySearch = { area: 'any', outcome: 'any', actor: '', target: '', from: '', to: '' };

function paramsOf(change: Partial<ActivitySearch>) {
  return Object.fromEntries(new URLSearchParams(toAuditQuery({ ...ALL, ...change })));
}

test('without filters everything is asked for', () => {
  expect(paramsOf({})).toEqual({});
});

test('filters become the parameters of the API', () => {
  expect(paramsOf({ area: 'bots', outcome: 'failure', actor: 'Practitioner/1' })).toMatchObject({
    action: 'bot.*,hl7.*',
    outcome: 'failure',
    actor: 'Practitioner/1',
  });
});

test('the last day is included whole, and what is no day is no filter', () => {
  const { from, to } = paramsOf({ from: '2026-11-20', to: '2026-11-20' });
  expect(Date.parse(to!) - Date.parse(from!)).toBe(24 * 60 * 60 * 1000);
  expect(paramsOf({ from: 'yesterday' }).from).toBeUndefined();
});
