import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';

/** Filed under the project of the thing that changed, not of the caller. Append-only. */
export const auditEvent = pgTable(
  'audit_event',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
    action: text('action').notNull(),
    target: text('target').notNull(),
    outcome: smallint('outcome').notNull().default(0),
    actor: text('actor'),
    actorMembership: uuid('actor_membership'),
    loginId: uuid('login_id'),
    onBehalfOf: text('on_behalf_of'),
    requestId: text('request_id').notNull(),
    remoteAddress: text('remote_address'),
    before: jsonb('before'),
    after: jsonb('after'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('audit_event_time').on(t.projectId, t.at.desc(), t.id),
    index('audit_event_target').on(t.projectId, t.target, t.at.desc()),
    // In the order of bytes: everything below a name stands together.
    index('audit_event_action').on(t.projectId, sql`${t.action} collate "C"`, t.at.desc(), t.id),
    index('audit_event_actor').on(t.projectId, t.actor, sql`${t.action} collate "C"`, t.at.desc(), t.id),
    // Few: of them alone the index has entries.
    index('audit_event_behalf').on(t.projectId, t.onBehalfOf, t.at.desc()).where(sql`${t.onBehalfOf} is not null`),
    index('audit_event_failure').on(t.projectId, t.at.desc(), t.id).where(sql`${t.outcome} <> 0`),
  ],
);

/** Mail and its delivery state. The parameters hold a one-time secret, so they are sealed, and dropped once the mail is out, or is given up. */
export const mail = pgTable(
  'mail',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    template: text('template').notNull(),
    recipient: text('recipient').notNull(),
    membershipId: uuid('membership_id'),
    paramsSealed: text('params_sealed'),
    state: text('state', { enum: ['queued', 'sent', 'delivered', 'bounced', 'complained', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    providerId: text('provider_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
    sentAt: instant('sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('mail_membership').on(t.projectId, t.membershipId, t.createdAt.desc()),
    index('mail_member').using('hash', t.membershipId),
    index('mail_provider').on(t.providerId),
    // The few that still hold a secret.
    index('mail_unsent').on(t.createdAt).where(sql`${t.paramsSealed} is not null`),
  ],
);

/** How far work has come that goes on in the background, and after a restart where it was. */
export const upkeep = pgTable('upkeep', {
  name: text('name').primaryKey(),
  progress: jsonb('progress').notNull(),
  at: instant('at').notNull().default(sql`clock_timestamp()`),
});

/** What `/dev/mail` shows. Only written while no RESEND_API_KEY is set. */
export const devMail = pgTable('dev_mail', {
  id: uuid('id').primaryKey(),
  recipient: text('recipient').notNull(),
  subject: text('subject').notNull(),
  html: text('html').notNull(),
  text: text('text').notNull(),
  at: instant('at').notNull().default(sql`clock_timestamp()`),
});

export const idempotencyKey = pgTable(
  'idempotency_key',
  {
    projectId: uuid('project_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    headers: jsonb('headers').notNull(),
    body: text('body').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.membershipId, t.key] }), index('idempotency_key_age').on(t.createdAt)],
);

export const projectSecret = pgTable(
  'project_secret',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    valueSealed: text('value_sealed').notNull(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.name] })],
);

export const binaryContent = pgTable(
  'binary_content',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    data: bytea('data').notNull(),
    /** As of a bot's source; null for what is too large to be one, and for what is older than this column. */
    sourceHash: text('source_hash'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
);

/** Many changes asked for at once. They run one by one after the request, each through the verb that the API uses for one. */
export const bulkJob = pgTable(
  'bulk_job',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    kind: text('kind', {
      enum: ['invite', 'deactivate', 'reactivate', 'remove', 'promote', 'demote', 'resend'],
    }).notNull(),
    state: text('state', { enum: ['queued', 'running', 'done', 'cancelled'] })
      .notNull()
      .default('queued'),
    /** Who asked; what they may do is asked again for every row. A super-admin's membership is in another project. */
    actorProjectId: uuid('actor_project_id').notNull(),
    actorMembershipId: uuid('actor_membership_id').notNull(),
    actor: text('actor').notNull(),
    actorDisplay: text('actor_display'),
    loginId: uuid('login_id'),
    onBehalfOf: text('on_behalf_of'),
    requestId: text('request_id').notNull(),
    remoteAddress: text('remote_address').notNull(),
    idempotencyKey: text('idempotency_key'),
    requestHash: text('request_hash'),
    createdAt: instant('created_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('bulk_job_key').on(t.projectId, t.actorMembershipId, t.idempotencyKey),
    index('bulk_job_time').on(t.projectId, t.createdAt.desc()),
    index('bulk_job_open').on(t.createdAt).where(sql`${t.finishedAt} is null`),
  ],
);

/** One change of a job. It leaves `waiting` in the transaction that makes the change, so it is made once, whatever dies. */
export const bulkJobRow = pgTable(
  'bulk_job_row',
  {
    projectId: uuid('project_id').notNull(),
    jobId: uuid('job_id').notNull(),
    number: integer('number').notNull(),
    /** Who it is about, for the result file. */
    who: text('who').notNull(),
    membershipId: uuid('membership_id'),
    /** An invite's input, sealed like everything that waits; dropped with the change. */
    inputSealed: text('input_sealed'),
    state: text('state', { enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    outcome: text('outcome'),
    field: text('field'),
    message: text('message'),
    /** Rows of one person are in one lane, and so in their order. Empty: by `who`, which names them. */
    lane: smallint('lane'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.jobId, t.number] }),
    index('bulk_job_row_waiting').on(t.projectId, t.jobId, t.number).where(sql`${t.state} = 'waiting'`),
  ],
);
