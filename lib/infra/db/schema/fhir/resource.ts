import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, textC } from '../../columns.ts';

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

/**
 * Numbers, quantities, places and the composites that end in one of these or a date: lib/protocol/fhir/index/extract-quantities.ts says what
 * its columns mean.
 */
export const ixQuantity = pgTable(
  'ix_quantity',
  {
    projectId: uuid('project_id').notNull(),
    param: integer('param').notNull(),
    key: bigint('key', { mode: 'bigint' }).notNull(),
    lo: doublePrecision('lo').notNull(),
    hi: doublePrecision('hi').notNull(),
    tags: bigint('tags', { mode: 'bigint' }).array().notNull(),
    base: bigint('base', { mode: 'bigint' }),
    baseLo: doublePrecision('base_lo'),
    baseHi: doublePrecision('base_hi'),
    id: textC('id').notNull(),
  },
  (t) => [
    index('ix_quantity_value').on(t.projectId, t.param, t.key, t.lo, t.hi, t.id),
    index('ix_quantity_base')
      .on(t.projectId, t.param, t.key, t.base, t.baseLo, t.baseHi, t.id)
      .where(sql`${t.base} is not null`),
    // Ranges are few: what ends beyond a number begins there, or is one of them.
    index('ix_quantity_end').on(t.projectId, t.param, t.key, t.hi, t.id).where(sql`${t.hi} > ${t.lo}`),
    index('ix_quantity_base_end')
      .on(t.projectId, t.param, t.key, t.base, t.baseHi, t.id)
      .where(sql`${t.baseHi} > ${t.baseLo}`),
    index('ix_quantity_id').on(t.projectId, t.id),
  ],
);

/**
 * Words of a project that looks for them, of the narrative and of the content. `words`: hashed with the project and `param`; `text`: in their order
 * (lib/protocol/fhir/words/extract-words.ts).
 */
export const ixWords = pgTable(
  'ix_words',
  {
    projectId: uuid('project_id').notNull(),
    param: integer('param').notNull(),
    words: bigint('words', { mode: 'bigint' }).array().notNull(),
    text: text('text').notNull(),
    id: textC('id').notNull(),
  },
  (t) => [
    index('ix_words_words').using('gin', t.words).with({ fastupdate: true, gin_pending_list_limit: 1024 }),
    index('ix_words_id').on(t.projectId, t.id),
  ],
);
