import { expect, test } from 'vitest';
import {
  DELETE,
  DELETE_MEASURED,
  INSERTED_TOGETHER,
  MEASURED_TOGETHER,
  UPDATE,
  UPDATE_MEASURED,
} from '../statements.ts';
import { deletedTogether, updatedTogether } from './statements-of-many.ts';

const tablesOf = (text: string, change: string) =>
  [...text.matchAll(new RegExp(`${change} (ix_\\w+)`, 'g'))].map(([, table]) => table).sort();

test.each([
  ['Patient', false, INSERTED_TOGETHER, UPDATE, DELETE],
  ['Patient', true, MEASURED_TOGETHER, UPDATE_MEASURED, DELETE_MEASURED],
  ['Observation', true, MEASURED_TOGETHER, UPDATE_MEASURED, DELETE_MEASURED],
])(
  'many at once touch the same tables of the index as one does: %s, with numbers %s',
  (type, hasNumbers, inserted, updated, deleted) => {
    const update = updatedTogether(type, hasNumbers);
    expect(tablesOf(update, 'insert into')).toEqual(tablesOf(updated, 'insert into'));
    expect(tablesOf(update, 'insert into')).toEqual(tablesOf(inserted, 'insert into'));
    expect(tablesOf(update, 'delete from')).toEqual(tablesOf(updated, 'delete from'));
    expect(tablesOf(deletedTogether(type, hasNumbers), 'delete from')).toEqual(tablesOf(deleted, 'delete from'));
    expect(tablesOf(update, 'delete from')).not.toEqual([]);
  },
);
