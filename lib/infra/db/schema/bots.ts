import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { RUN_STATES } from '#lib/protocol/bots/bots.ts';
import { CANARY_STATES } from '#lib/protocol/bots/canary.ts';
import { instant } from '../columns.ts';

/** Immutable and numbered; a deploy makes one and points the bot at it. */
export const botVersion = pgTable(
  'bot_version',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    number: integer('number').notNull(),
    filename: text('filename').notNull(),
    source: text('source').notNull(),
    /** Null for what is older than this column. */
    sourceHash: text('source_hash'),
    /** The others of a bot that is many files, BotFile[] as JSON: `source` is the one with the handler. */
    files: text('files'),
    /** SHA-256 of `files`; null for what is older than this column. */
    filesHash: text('files_hash'),
    bundle: text('bundle').notNull(),
    sourceMap: text('source_map'),
    author: text('author'),
    /** What its author says of it. */
    note: text('note'),
    /** The earlier version whose code it is, where somebody went back to it. */
    fromNumber: integer('from_number'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId, t.number] })],
);

/** The other files of a bot's draft: the one with the handler stands in the Bot, and names these by their hash. */
export const botDraft = pgTable(
  'bot_draft',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    filesHash: text('files_hash').notNull(),
    /** BotFile[] as JSON, as in a version. */
    files: text('files').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId] })],
);

/** What a bot is given, and what is expected of it. Of patients: they go with a record that is erased. */
export const botSample = pgTable(
  'bot_sample',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    contentType: text('content_type').notNull(),
    input: text('input').notNull(),
    /** SampleExpectation and Stubs of lib/protocol/bots, as JSON. */
    expects: text('expects').notNull(),
    stubs: text('stubs'),
    author: text('author'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.botId, t.id] }),
    uniqueIndex('bot_sample_name').on(t.projectId, t.botId, t.name),
  ],
);

/** A bot's own, before those of its project. */
export const botSecret = pgTable(
  'bot_secret',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    name: text('name').notNull(),
    valueSealed: text('value_sealed').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId, t.name] })],
);

/** Which version runs. No row: nothing is deployed. */
export const botDeployment = pgTable(
  'bot_deployment',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    number: integer('number').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId] })],
);

/** A version that a share of a bot's runs are tried on, beside the one that is live: the last one, and how it ended. */
export const botCanary = pgTable(
  'bot_canary',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    /** Another for each trial: by it and the event it is chosen what runs on the new version. */
    id: uuid('id').notNull(),
    number: integer('number').notNull(),
    /** Percent. */
    share: smallint('share').notNull(),
    state: text('state', { enum: CANARY_STATES }).notNull().default('running'),
    author: text('author'),
    startedAt: instant('started_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
    /** Null where nobody but its own failures ended it. */
    endedBy: text('ended_by'),
    /** What both versions had come to by then, as JSON (CanaryFigures of lib/protocol/bots). */
    figures: text('figures'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId] })],
);

export const botRun = pgTable(
  'bot_run',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    botId: uuid('bot_id').notNull(),
    version: integer('version'),
    requester: text('requester'),
    trigger: text('trigger').notNull(),
    status: text('status', { enum: RUN_STATES }).notNull(),
    startedAt: instant('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** Why it failed, without what identifies somebody: lists tell it. As it was said it stands in `failure`. */
    message: text('message'),
    logs: jsonb('logs'),
    requestId: text('request_id').notNull(),
    /** From here on null for what is older than these columns. W3C trace-id of the caller, or the request's id. */
    traceId: text('trace_id'),
    /** The run of which this is a replay. */
    replayOf: uuid('replay_of'),
    cpuUs: integer('cpu_us'),
    heapKb: integer('heap_kb'),
    failure: text('failure'),
    /** Of equal failures (lib/protocol/bots/fingerprint.ts). */
    fingerprint: text('fingerprint'),
    inputType: text('input_type'),
    /** Its beginning, where it is longer than what is kept; null where the project keeps none. */
    input: text('input'),
    inputBytes: integer('input_bytes'),
    /** By which event it was given, for a replay (kept-headers.ts). */
    inputHeaders: jsonb('input_headers'),
    outputType: text('output_type'),
    output: text('output'),
    outputBytes: integer('output_bytes'),
    calls: jsonb('calls'),
    /** When it was written: in this order a live view reads them, since long runs come after short ones that began later. Null for what is older. */
    recordedAt: instant('recorded_at').default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('bot_run_time').on(t.projectId, t.startedAt.desc(), t.id),
    // Few: of them alone these have entries.
    index('bot_run_failed').on(t.projectId, t.startedAt.desc(), t.id).where(sql`${t.status} <> 'ok'`),
    index('bot_run_failed_bot').on(t.projectId, t.botId, t.startedAt.desc(), t.id).where(sql`${t.status} <> 'ok'`),
    index('bot_run_fingerprint')
      .on(t.projectId, t.fingerprint, t.startedAt.desc(), t.id)
      .where(sql`${t.fingerprint} is not null`),
    index('bot_run_recorded').on(t.projectId, t.recordedAt, t.id).where(sql`${t.recordedAt} is not null`),
    index('bot_run_replay').on(t.projectId, t.replayOf, t.version).where(sql`${t.replayOf} is not null`),
    // Attempts at one event, and what are replays of them.
    index('bot_run_event')
      .on(t.projectId, sql`(${t.inputHeaders}->>'idempotency-key')`)
      .where(sql`${t.inputHeaders}->>'idempotency-key' is not null`),
    index('bot_run_bot').on(t.projectId, t.botId, t.startedAt.desc(), t.id),
    index('bot_run_status').on(t.projectId, t.botId, t.status, t.startedAt.desc(), t.id),
  ],
);

/** A fault of bots (`fingerprint` of runs) that somebody has said to be over, and when: a run that began later and failed alike says otherwise. */
export const botFault = pgTable(
  'bot_fault',
  {
    projectId: uuid('project_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    resolvedAt: instant('resolved_at').notNull().defaultNow(),
    resolvedBy: text('resolved_by'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.fingerprint] }), index('bot_fault_age').on(t.resolvedAt)],
);

/** When administrators are told that a bot does not do well, and since when it does not. */
export const botAlert = pgTable(
  'bot_alert',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    /** All three or none. */
    failurePercent: integer('failure_percent'),
    failureHours: integer('failure_hours'),
    failureMinimum: integer('failure_minimum'),
    silentHours: integer('silent_hours'),
    /** Addresses among those of the administrators; null: all of them. */
    recipients: text('recipients').array(),
    setAt: instant('set_at').notNull().defaultNow(),
    failingSince: instant('failing_since'),
    silentSince: instant('silent_since'),
    checkedAt: instant('checked_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId] }), index('bot_alert_checked').on(t.checkedAt)],
);

/** What a bot's runs of an hour come to, added to in the statement that writes them. Of a length (`slots`, ascending) there were so many (`counts`). */
export const botHour = pgTable(
  'bot_hour',
  {
    projectId: uuid('project_id').notNull(),
    hour: instant('hour').notNull(),
    botId: uuid('bot_id').notNull(),
    runs: integer('runs').notNull(),
    failed: integer('failed').notNull(),
    slots: smallint('slots').array().notNull(),
    counts: integer('counts').array().notNull(),
  },
  // By hour first: whoever asks wants the newest hours of all of a project's bots.
  (t) => [
    primaryKey({ columns: [t.projectId, t.hour, t.botId] }),
    index('bot_hour_age').on(t.hour),
    index('bot_hour_bot').on(t.projectId, t.botId, t.hour),
  ],
);

/** Runs that have not ended, but for those of a moment: who runs one takes it out. `ends_by`: of a process that died it has ended by then. */
export const botRunning = pgTable(
  'bot_running',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    botId: uuid('bot_id').notNull(),
    version: integer('version').notNull(),
    trigger: text('trigger').notNull(),
    /** "Type/id". */
    requester: text('requester').notNull(),
    requestId: text('request_id').notNull(),
    startedAt: instant('started_at').notNull(),
    endsBy: instant('ends_by').notNull(),
    /** Who wants it to end, "Type/id": the process that runs it looks. */
    stoppedBy: text('stopped_by'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
);
