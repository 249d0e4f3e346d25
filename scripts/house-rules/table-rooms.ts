import type { AnyTable, TableRooms } from './table-writers.ts';

/** Which room writes which table. An exception says why the owner has no function for it. */
export const TABLE_ROOMS: TableRooms = {
  async_job: { room: 'lib/domain/runs' },
  audit_event: { room: 'lib/domain/audit' },
  binary_content: { room: 'lib/domain/rest' },
  bot_deployment: { room: 'lib/domain/bots' },
  bot_run: { room: 'lib/domain/runs' },
  bot_version: { room: 'lib/domain/bots' },
  bulk_job: { room: 'lib/domain/bulk-jobs' },
  bulk_job_row: { room: 'lib/domain/bulk-jobs' },
  client_secret: { room: 'lib/domain/clients' },
  credential: { room: 'lib/domain/accounts' },
  dev_mail: { room: 'lib/infra/mail' },
  idempotency_key: { room: 'lib/domain/idempotency' },
  ix_date: { room: 'lib/domain/store' },
  ix_string: { room: 'lib/domain/store' },
  login: {
    room: 'lib/domain/sessions',
    also: {
      'lib/domain/sign-in': 'a login begins there, and is bound to a membership before it is a session',
      'lib/domain/oauth':
        'what a login is exchanged for, codes and refresh secrets, is the grants’ own protocol, under their locks',
    },
  },
  login_cutoff: { room: 'lib/domain/sessions' },
  mail: { room: 'lib/infra/mail' },
  membership_key: { room: 'lib/domain/memberships' },
  one_time_link: { room: 'lib/domain/links' },
  project_secret: { room: 'lib/domain/projects' },
  rate_counter: { room: 'lib/domain/limits' },
  resource: { room: 'lib/domain/store' },
  resource_history: { room: 'lib/domain/store' },
  signing_key: { room: 'lib/domain/oauth' },
  user_login: { room: 'lib/domain/accounts' },
};

/** Files that delete from a table which they are told. */
export const ANY_TABLE: AnyTable = {
  'lib/infra/db/reseal.ts': 'each room says which of its columns are sealed',
  'lib/infra/db/sweep.ts': 'each room says which rows of its own tables are over',
};
