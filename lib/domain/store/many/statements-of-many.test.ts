import { expect, test } from 'vitest';
import { DELETE, INSERTED_TOGETHER, UPDATE } from '../statements.ts';
import { deletedTogether, updatedTogether } from './statements-of-many.ts';

const tablesOf = (text: string, change: string) =>
  [...text.matchAll(new RegExp(`${change} (ix_\\w+)`, 'g'))].map(([, table]) => table).sort();

test('many at once touch the same tables of the index as one does', () => {
  const update = updatedTogether('Patient');
  expect(tablesOf(update, 'insert into')).toEqual(tablesOf(UPDATE, 'insert into'));
  expect(tablesOf(update, 'insert into')).toEqual(tablesOf(INSERTED_TOGETHER, 'insert into'));
  expect(tablesOf(update, 'delete from')).toEqual(tablesOf(UPDATE, 'delete from'));
  expect(tablesOf(deletedTogether('Patient'), 'delete from')).toEqual(tablesOf(DELETE, 'delete from'));
  expect(tablesOf(update, 'delete from')).not.toEqual([]);
});
