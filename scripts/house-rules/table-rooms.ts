import type { TableRooms } from './table-writers.ts';

/**
 * Which room writes which table, and how long rows are kept: `swept` when their time is over, or they go with something else (`goes`), or
 * not at all (`stays`). An exception says why the owner has no function for it.
 */
export const TABLE_ROOMS: TableRooms = {
  access_refusal: {
    room: 'lib/domain/refusals',
    kept: { swept: 'seven days after it, and with the record it is about' },
  },
  access_request: {
    room: 'lib/domain/access-requests',
    kept: { swept: 'after its end, as the audit log', setting: 'RETAIN_AUDIT_DAYS' },
  },
  access_review: {
    room: 'lib/domain/access-reviews',
    kept: { swept: 'after its end, as the audit log', setting: 'RETAIN_AUDIT_DAYS' },
  },
  access_review_row: {
    room: 'lib/domain/access-reviews',
    kept: { swept: 'with its review; when that is cancelled' },
  },
  account_change: {
    room: 'lib/domain/account-changes',
    kept: { swept: 'after its end, as the links of mails', setting: 'RETAIN_LINKS_DAYS' },
  },
  account_merge: { room: 'lib/domain/account-merge', kept: { swept: 'when it can no longer be gone on with' } },
  app_launch: { room: 'lib/domain/launches', kept: { swept: 'when nobody can take it any more' } },
  api_key: { room: 'lib/domain/api-keys', kept: { swept: 'a month after it has ended, or with its membership' } },
  async_job: {
    room: 'lib/domain/runs',
    kept: { swept: 'after its end: it holds patients’ data', setting: 'RETAIN_JOBS_DAYS' },
  },
  audit_chain: { room: 'lib/domain/audit', kept: { stays: 'a row a project: where its chain stands, and begins' } },
  audit_event: {
    room: 'lib/domain/audit',
    kept: {
      swept: 'what was done stays told, unless the settings say otherwise; then from the beginning of the chain on',
      setting: 'RETAIN_AUDIT_DAYS',
      by: 'lib/domain/audit/sweep-audit.ts',
    },
    also: { 'lib/domain/runs': 'a run is told in the statement that records it, once, however often that is sent' },
  },
  audit_head: {
    room: 'lib/domain/audit-proof',
    kept: { stays: 'one an hour, at most: who kept one compares it with ours' },
  },
  audit_key: { room: 'lib/domain/audit-proof', kept: { stays: 'public, and a few: old heads are verified with them' } },
  audit_seal: { room: 'lib/domain/audit', kept: { goes: 'with the last of its rows' } },
  binary_content: { room: 'lib/domain/bytes', kept: { goes: 'with its Binary' } },
  binary_file: {
    room: 'lib/domain/bytes',
    kept: {
      swept: 'when no version has it, or an upload was never done: its file first',
      by: 'lib/domain/bytes/sweep-bytes.ts',
    },
  },
  break_glass: {
    room: 'lib/domain/break-glass',
    kept: { swept: 'after it was closed, as the audit log', setting: 'RETAIN_AUDIT_DAYS' },
  },
  bot_alert: { room: 'lib/domain/run-log', kept: { goes: 'when it is turned off, or with its bot' } },
  bot_canary: { room: 'lib/domain/bots', kept: { goes: 'with its bot, or when another one begins' } },
  bot_deployment: { room: 'lib/domain/bots', kept: { goes: 'with its bot' } },
  bot_draft: { room: 'lib/domain/bots', kept: { goes: 'with its bot, or when its draft is one file' } },
  bot_event: {
    room: 'lib/domain/bot-events',
    kept: {
      swept: 'after its end, as long as it may come again; with its dead letter',
      setting: 'RETAIN_IDEMPOTENCY_DAYS',
    },
  },
  bot_fault: {
    room: 'lib/domain/run-log',
    kept: { swept: 'when the runs that it is about are gone; when it is opened again', setting: 'RETAIN_RUNS_DAYS' },
  },
  bot_hour: { room: 'lib/domain/runs', kept: { swept: 'thirty days: it counts the last one' } },
  bot_run: {
    room: 'lib/domain/runs',
    kept: { swept: 'after its beginning: a bot logs patients’ data', setting: 'RETAIN_RUNS_DAYS' },
  },
  bot_running: { room: 'lib/domain/runs', kept: { swept: 'when it must have ended, if its process did not say so' } },
  bot_schedule: { room: 'lib/domain/bot-events', kept: { goes: 'with its bot, or when that has no times any more' } },
  bot_sample: {
    room: 'lib/domain/bot-samples',
    kept: { goes: 'when it is taken out, or with its bot or a record that it names' },
  },
  bot_secret: { room: 'lib/domain/bot-secrets', kept: { goes: 'when it is taken out, or with its bot' } },
  bot_version: { room: 'lib/domain/bots', kept: { stays: 'what a bot once ran can be deployed again' } },
  bulk_export: {
    room: 'lib/domain/bulk-data',
    kept: { swept: 'a day after it was asked for, or when it is cancelled' },
  },
  bulk_import: { room: 'lib/domain/bulk-import', kept: { swept: 'a day after its end, or when it is cancelled' } },
  bulk_import_error: { room: 'lib/domain/bulk-import', kept: { swept: 'with its import' } },
  bulk_import_file: { room: 'lib/domain/bulk-import', kept: { swept: 'with its import' } },
  bulk_job: { room: 'lib/domain/bulk-jobs', kept: { swept: 'after its end', setting: 'RETAIN_JOBS_DAYS' } },
  bulk_job_row: { room: 'lib/domain/bulk-jobs', kept: { swept: 'with its job' } },
  client_named_secret: { room: 'lib/domain/clients', kept: { goes: 'when it is taken out, or with its client' } },
  client_request: {
    room: 'lib/domain/client-requests',
    kept: { swept: 'the last 100 that were answered and the last 100 that failed; with its client' },
  },
  client_secret: { room: 'lib/domain/clients', kept: { goes: 'with its client' } },
  client_traffic: { room: 'lib/domain/client-requests', kept: { swept: 'with its client' } },
  code_system: { room: 'lib/domain/terminology', kept: { goes: 'with its resource, of which it is made' } },
  concept: { room: 'lib/domain/terminology', kept: { goes: 'with its CodeSystem' } },
  consent: {
    room: 'lib/domain/authorize',
    kept: { swept: 'when the person is no longer a member there, or the app is gone' },
  },
  credential: { room: 'lib/domain/accounts', kept: { swept: 'with its account, when that can no longer come back' } },
  dead_letter: {
    room: 'lib/domain/bot-events',
    kept: {
      swept: 'after its last failure: who would replay it has had the time',
      setting: 'RETAIN_DEAD_LETTERS_DAYS',
    },
  },
  device_request: {
    room: 'lib/domain/grants',
    kept: { swept: 'an hour after its end' },
    also: { 'lib/domain/sessions': 'what is let in ends with the sessions, which know nothing of grants above them' },
  },
  dev_mail: { room: 'lib/infra/mail', kept: { swept: 'the newest 500' } },
  factor: { room: 'lib/domain/factors', kept: { swept: 'with its account; one that was only offered, after a day' } },
  factor_code: { room: 'lib/domain/factors', kept: { swept: 'as long as it is good' } },
  hl7_feed: { room: 'lib/domain/hl7-feeds', kept: { goes: 'when it is taken out' } },
  hl7_message: {
    room: 'lib/domain/hl7-feeds',
    kept: { swept: 'after it came, as runs: but for what waits to run', setting: 'RETAIN_RUNS_DAYS' },
  },
  idempotency_key: {
    room: 'lib/domain/idempotency',
    kept: { swept: 'after its request', setting: 'RETAIN_IDEMPOTENCY_DAYS' },
  },
  ix_date: { room: 'lib/domain/store', kept: { goes: 'with what the resource says' } },
  ix_quantity: { room: 'lib/domain/store', kept: { goes: 'with what the resource says' } },
  ix_string: { room: 'lib/domain/store', kept: { goes: 'with what the resource says' } },
  ix_words: {
    room: 'lib/domain/store',
    kept: { goes: 'with what the resource says, or when the project no longer looks for words' },
  },
  known_device: {
    room: 'lib/domain/devices',
    kept: { swept: 'after a year in which nobody came in by it, or with its account' },
  },
  listening: {
    room: 'lib/domain/store',
    kept: { goes: 'with its Subscription, which ends an hour after the last who listened' },
  },
  login: {
    room: 'lib/domain/sessions',
    kept: {
      swept: 'after its end, a program’s as long as its token lives; a person’s newest stays',
      setting: 'RETAIN_LOGINS_DAYS',
    },
    also: {
      'lib/domain/sign-in': 'a login begins there, and is bound to a membership before it is a session',
      'lib/domain/oauth':
        'what a login is exchanged for, codes and refresh secrets, is the grants’ own protocol, under their locks',
    },
  },
  login_cutoff: { room: 'lib/domain/sessions', kept: { swept: 'as long as a login is older' } },
  mail: {
    room: 'lib/infra/mail',
    kept: {
      swept:
        'to whom was written when, an invitation’s as long as the membership stands; what it was filled with goes when it is out, or given up',
      setting: 'RETAIN_MAIL_DAYS',
    },
  },
  mail_domain: { room: 'lib/domain/mail-domains', kept: { goes: 'when it is taken out' } },
  member_count: { room: 'lib/domain/standing', kept: { stays: 'one line of each kind and slot' } },
  member_view: {
    room: 'lib/domain/views',
    kept: { swept: 'after its end, as the audit log', setting: 'RETAIN_AUDIT_DAYS' },
  },
  membership_key: {
    room: 'lib/domain/memberships',
    kept: { goes: 'with its membership' },
    also: {
      'lib/domain/standing':
        'how a membership stands is told by links, mail and passwords, which know nothing of members',
    },
  },
  one_time_link: {
    room: 'lib/domain/links',
    kept: {
      swept: 'after its end; an invitation’s, as long as the membership stands',
      setting: 'RETAIN_LINKS_DAYS',
    },
  },
  passkey: {
    room: 'lib/domain/webauthn',
    kept: { swept: 'with its account, when that can no longer come back' },
  },
  passkey_challenge: { room: 'lib/domain/webauthn', kept: { swept: 'five minutes: then it can no longer be signed' } },
  project_secret: { room: 'lib/domain/projects', kept: { goes: 'when it is taken out' } },
  provider_secret: { room: 'lib/domain/providers', kept: { goes: 'with what names the provider' } },
  pushed_request: { room: 'lib/domain/authorize', kept: { swept: 'when nobody can take it any more' } },
  rate_counter: { room: 'lib/domain/limits', kept: { swept: 'as long as its window' } },
  record_erasure: {
    room: 'lib/domain/record-erasure',
    kept: { swept: 'after its end', setting: 'RETAIN_JOBS_DAYS' },
  },
  recovery_code: { room: 'lib/domain/factors', kept: { swept: 'with its account' } },
  registered_client: { room: 'lib/domain/client-registration', kept: { swept: 'with its client' } },
  registration_token: {
    room: 'lib/domain/client-registration',
    kept: { swept: 'a month after its end, or when it is taken back' },
  },
  resource: { room: 'lib/domain/store', kept: { stays: 'deleted, too: as a grave that answers 410' } },
  resource_history: {
    room: 'lib/domain/store',
    kept: {
      swept: 'after another has succeeded it; the current one stays, and the last before a deletion',
      setting: 'RETAIN_HISTORY_DAYS',
      by: 'lib/domain/store/sweep-history.ts',
    },
  },
  scim_connection: { room: 'lib/domain/scim', kept: { goes: 'when it is taken out' } },
  scim_given: { room: 'lib/domain/groups', kept: { swept: 'when its membership or its connection is gone' } },
  scim_group: { room: 'lib/domain/groups', kept: { swept: 'when its connection is gone' } },
  scim_group_member: { room: 'lib/domain/groups', kept: { swept: 'when its membership or its group is gone' } },
  scim_member: { room: 'lib/domain/scim', kept: { swept: 'when its membership or its connection is gone' } },
  scim_request: { room: 'lib/domain/scim', kept: { goes: 'when two hundred others came, or with its connection' } },
  scim_token: { room: 'lib/domain/scim', kept: { goes: 'when it is taken back, or with its connection' } },
  search_parameter: {
    room: 'lib/domain/store',
    kept: {
      goes: 'with its SearchParameter or setting, when what was indexed for it is gone; the last of a project stays',
    },
  },
  sign_in_link: {
    room: 'lib/domain/sign-in-links',
    kept: { swept: 'a quarter of an hour: then it no longer signs in' },
    also: { 'lib/domain/sessions': 'a mail ends with the sessions, which know nothing of sign-ins above them' },
  },
  signing_key: {
    room: 'lib/domain/signing',
    kept: { swept: 'as long as a token of it can live', by: 'lib/domain/signing/sweep-signing-keys.ts' },
  },
  upkeep: { room: 'lib/infra/db', kept: { stays: 'a row for each work of the background' } },
  user_project: { room: 'lib/domain/directory', kept: { stays: 'where somebody was once, they may be again' } },
  user_login: { room: 'lib/domain/accounts', kept: { goes: 'with its account' } },
};
