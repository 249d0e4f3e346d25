import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/** What was asked for, as it was understood. `filters`: searches (`Type?…`), as they came. */
export type ExportAsked = { types?: string[]; since?: string; filters: string[]; elements: string[] };
/**
 * A part of what is exported: resources of a type whose ids lie behind `after` and up to `to` (null: to the end), of some members where it is about
 * members. `count` where it is known.
 */
export type ExportPiece = { type: string; batch: number; after: string; to: string | null; count: number | null };
/** Where planning goes on: at which of the types, of which members, behind which id. */
export type ExportPlace = { type: number; batch: number; after: string };

/**
 * An export (FHIR Bulk Data Access): who asked for what, and into which pieces it falls. Nothing that is exported stands here: a piece is read from
 * the store when it is fetched.
 */
export const bulkExport = pgTable(
  'bulk_export',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    /** Who asked, and with which of their rights. */
    membershipId: uuid('membership_id').notNull(),
    clientId: text('client_id'),
    scope: text('scope').notNull(),
    patient: text('patient'),
    request: text('request').notNull(),
    asked: jsonb('asked').$type<ExportAsked>().notNull(),
    /** Resources are as they were then. */
    asOf: instant('as_of').notNull(),
    /** The first number of a transaction that had not begun to write then: until all before have ended, something of that time may be missing. */
    horizon: text('horizon').notNull(),
    /** Null until it is looked which of them the project has. */
    types: jsonb('types').$type<string[]>(),
    /** Ids of the patients that it is about; null where it is not about some. */
    members: jsonb('members').$type<string[]>(),
    place: jsonb('place').$type<ExportPlace>().notNull(),
    pieces: jsonb('pieces').$type<ExportPiece[]>().notNull().default(sql`'[]'`),
    step: integer('step').notNull().default(0),
    done: boolean('done').notNull().default(false),
    lookedAt: instant('looked_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), index('bulk_export_end').on(t.projectId, t.expiresAt)],
);

export type BulkExportRow = typeof bulkExport.$inferSelect;
