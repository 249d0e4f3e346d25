import { expect, test } from 'vitest';
import {
  DELETE,
  DELETE_MEASURED,
  DELETE_WORDED,
  INSERTED_TOGETHER,
  MEASURED_TOGETHER,
  UPDATE,
  UPDATE_MEASURED,
  UPDATE_WORDED,
  WORDED_TOGETHER,
} from '../statements.ts';
import { deletedTogether, type Has, updatedTogether } from './statements-of-many.ts';

const tablesOf = (text: string, change: string) =>
  [...text.matchAll(new RegExp(`${change} (ix_\\w+)`, 'g'))].map(([, table]) => table).sort();

test.each<[string, Has, string, string, string]>([
  ['Patient', 'neither', INSERTED_TOGETHER, UPDATE, DELETE],
  ['Patient', 'numbers', MEASURED_TOGETHER, UPDATE_MEASURED, DELETE_MEASURED],
  ['Observation', 'numbers', MEASURED_TOGETHER, UPDATE_MEASURED, DELETE_MEASURED],
  ['Patient', 'words', WORDED_TOGETHER, UPDATE_WORDED, DELETE_WORDED],
])(
  'many at once touch the same tables of the index as one does: %s, %s besides',
  (type, has, inserted, updated, deleted) => {
    const update = updatedTogether(type, has);
    expect(tablesOf(update, 'insert into')).toEqual(tablesOf(updated, 'insert into'));
    expect(tablesOf(update, 'insert into')).toEqual(tablesOf(inserted, 'insert into'));
    expect(tablesOf(update, 'delete from')).toEqual(tablesOf(updated, 'delete from'));
    expect(tablesOf(deletedTogether(type, has), 'delete from')).toEqual(tablesOf(deleted, 'delete from'));
    expect(tablesOf(update, 'delete from')).not.toEqual([]);
  },
);
