import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant, textC } from '../columns.ts';

/**
 * The current version of every resource. Partitioned by type in the migration, which also holds the GIN index over `tokens`
 * and its statistics target: Drizzle cannot say these. `content` is the resource without resourceType, id and meta; `meta` what the
 * client gave of it (profile, tag, security, source). A deleted row keeps its key and version, and has no content and no tokens.
 */
export const resource = pgTable(
  'resource',
  {
    projectId: uuid('project_id').notNull(),
    typeId: smallint('type_id').notNull(),
    id: textC('id').notNull(),
    version: integer('version').notNull(),
    lastUpdated: instant('last_updated').notNull(),
    deleted: boolean('deleted').notNull().default(false),
    sortDate: instant('sort_date'),
    /** The end of the type's principal date; infinity where it has several values, or was not looked at yet: then ix_date tells. */
    sortEnd: instant('sort_end').default(sql`'infinity'`),
    author: text('author'),
    meta: jsonb('meta'),
    content: jsonb('content'),
    tokens: bigint('tokens', { mode: 'bigint' }).array().notNull().default(sql`'{}'`),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.typeId, t.id] })],
);

export const resourceHistory = pgTable(
  'resource_history',
  {
    projectId: uuid('project_id').notNull(),
    typeId: smallint('type_id').notNull(),
    id: textC('id').notNull(),
    version: integer('version').notNull(),
    op: text('op', { enum: ['create', 'update', 'delete'] }).notNull(),
    lastUpdated: instant('last_updated').notNull(),
    author: text('author'),
    meta: text('meta'),
    content: text('content'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.typeId, t.id, t.version] }),
    index('resource_history_type').on(t.projectId, t.typeId, t.lastUpdated.desc(), t.id, t.version),
    index('resource_history_project').on(t.projectId, t.lastUpdated.desc()),
  ],
);

/** What has an order. No unique key: an update deletes the old rows and inserts the new ones in one statement. */
export const ixString = pgTable(
  'ix_string',
  {
    projectId: uuid('project_id').notNull(),
    param: integer('param').notNull(),
    value: textC('value').notNull(),
    id: textC('id').notNull(),
  },
  (t) => [
    index('ix_string_value').on(t.projectId, t.param, t.value, t.id),
    index('ix_string_id').on(t.projectId, t.id),
  ],
);

export const ixDate = pgTable(
  'ix_date',
  {
    projectId: uuid('project_id').notNull(),
    param: integer('param').notNull(),
    lo: instant('lo').notNull(),
    hi: instant('hi').notNull(),
    id: textC('id').notNull(),
  },
  (t) => [index('ix_date_value').on(t.projectId, t.param, t.lo, t.hi, t.id), index('ix_date_id').on(t.projectId, t.id)],
);
