import type { AnyTable } from './table-writers.ts';

/** Files that delete from a table which they are told. */
export const ANY_TABLE: AnyTable = {
  'lib/infra/db/drop/drop-person.ts':
    'of a person who is erased nothing is left in any table, but for the audit log and their project’s records',
  'lib/infra/db/drop/drop-project.ts':
    'of a project that is removed nothing is left in any table, but for its audit log',
  'lib/infra/db/reseal.ts': 'each room says which of its columns are sealed',
  'lib/infra/db/sweep.ts': 'each room says which rows of its own tables are over',
};
