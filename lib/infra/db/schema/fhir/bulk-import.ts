import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/** An import of files that others serve: who asked, and with which of their rights. What it brings stands among the resources, as any. */
export const bulkImport = pgTable(
  'bulk_import',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    clientId: text('client_id'),
    scope: text('scope').notNull(),
    patient: text('patient'),
    requestId: text('request_id').notNull(),
    remoteAddress: text('remote_address').notNull(),
    done: boolean('done').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), index('bulk_import_end').on(t.projectId, t.expiresAt)],
);

/** One of its files, and how far it is read: written in the transaction of what was read of it. */
export const bulkImportFile = pgTable(
  'bulk_import_file',
  {
    projectId: uuid('project_id').notNull(),
    importId: uuid('import_id').notNull(),
    number: integer('number').notNull(),
    type: text('type').notNull(),
    /** Whoever knows the address of a file may often read it. */
    urlSealed: text('url_sealed').notNull(),
    /** What whoever asked wants it to be. */
    wantedEtag: text('wanted_etag'),
    /** What its server called it when it was begun. */
    etag: text('etag'),
    packed: boolean('packed').notNull().default(false),
    /** Lines that are done with, the bytes that they are, and a hash over all of them. */
    line: integer('line').notNull().default(0),
    place: bigint('place', { mode: 'number' }).notNull().default(0),
    hash: text('hash').notNull().default(''),
    taken: integer('taken').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    /** Failures one after the other, and until when it rests. */
    tries: integer('tries').notNull().default(0),
    retryAt: instant('retry_at'),
    done: boolean('done').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.importId, t.number] })],
);

/** Why a line was refused, as an OperationOutcome; line 0: why a file was not read to its end. */
export const bulkImportError = pgTable(
  'bulk_import_error',
  {
    projectId: uuid('project_id').notNull(),
    importId: uuid('import_id').notNull(),
    file: integer('file').notNull(),
    line: integer('line').notNull(),
    outcome: text('outcome').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.importId, t.file, t.line] })],
);

export type BulkImportRow = typeof bulkImport.$inferSelect;
export type BulkImportFileRow = typeof bulkImportFile.$inferSelect;
