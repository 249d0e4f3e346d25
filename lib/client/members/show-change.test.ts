import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { keys } from '../api/query-keys.ts';
import { showChange } from './show-change.ts';

test('a change shows in every list and on the page of the member at once, and can be taken back', async () => {
  const queries = new QueryClient();
  const [list, one, history] = [
    keys.memberList('p', '_sort=name'),
    keys.member('p', 'ben'),
    [...keys.member('p', 'ben'), 'history'],
  ];
  const page = { members: [{ id: 'ben' }, { id: 'eve' }], localUsers: new Set(), total: 2 };
  queries.setQueryData(list, page);
  queries.setQueryData(one, { id: 'ben' });
  queries.setQueryData(history, []);
  const takeBack = await showChange(queries, 'p', 'ben', { admin: true });
  expect(queries.getQueryData(list)).toEqual({ ...page, members: [{ id: 'ben', admin: true }, { id: 'eve' }] });
  expect(queries.getQueryData(one)).toEqual({ id: 'ben', admin: true });
  takeBack();
  expect([list, one, history].map((key) => queries.getQueryData(key))).toEqual([page, { id: 'ben' }, []]);
});
