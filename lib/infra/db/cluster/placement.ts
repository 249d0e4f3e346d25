/**
 * Where each table stands when the database is a cluster (Citus): `distributed` by project_id, all rows of a project on one node, or on the
 * `coordinator`, for what belongs to nobody's project or is looked for across all of them. A statement names tables of one kind.
 */
export const PLACEMENT = {
  async_job: 'distributed',
  audit_event: 'distributed',
  binary_content: 'distributed',
  bot_deployment: 'distributed',
  bot_hour: 'distributed',
  bot_run: 'distributed',
  bot_version: 'distributed',
  bulk_job: 'distributed',
  bulk_job_row: 'distributed',
  client_secret: 'coordinator',
  credential: 'coordinator',
  dev_mail: 'coordinator',
  idempotency_key: 'distributed',
  ix_date: 'distributed',
  ix_string: 'distributed',
  login: 'coordinator',
  login_cutoff: 'coordinator',
  mail: 'distributed',
  member_count: 'distributed',
  membership_key: 'distributed',
  one_time_link: 'coordinator',
  project_secret: 'distributed',
  rate_counter: 'coordinator',
  resource: 'distributed',
  resource_history: 'distributed',
  signing_key: 'coordinator',
  upkeep: 'coordinator',
  user_login: 'coordinator',
} as const satisfies Record<string, 'distributed' | 'coordinator'>;
