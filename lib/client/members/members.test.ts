import { expect, test } from 'vitest';
import { type MemberSearch, toMemberQuery } from './members.ts';

const ALL: MemberSearch = {
  type: 'people',
  role: 'any',
  status: 'any',
  factor: 'all',
  policy: '',
  sort: 'name',
  q: '',
  page: 1,
  size: 20,
};

function paramsOf(change: Partial<MemberSearch>) {
  return Object.fromEntries(new URLSearchParams(toMemberQuery({ ...ALL, ...change })));
}

test('clients and bots stay out unless asked for', () => {
  expect(paramsOf({})).toEqual({
    'profile-type:not': 'ClientApplication,Bot',
    _sort: 'name',
    _count: '20',
    _include: 'ProjectMembership:user',
    _total: 'accurate',
  });
  expect(paramsOf({ type: 'Bot' })['profile-type']).toBe('Bot');
});

test('filters become the parameters of the API', () => {
  expect(paramsOf({ role: 'member', status: 'mail-failed' })).toMatchObject({ admin: 'false', status: 'mail-failed' });
  expect(paramsOf({ policy: 'p1' })['access-policy']).toBe('AccessPolicy/p1');
  expect(paramsOf({ page: 3, size: 50 })).toMatchObject({ _count: '50', _offset: '100' });
});

test('what a person types is one literal value, commas and bars included', () => {
  expect(paramsOf({ q: ' Lee, Ann|x\\y ' })['name:contains']).toBe('Lee\\, Ann\\|x\\\\y');
});
