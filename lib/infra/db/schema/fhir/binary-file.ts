import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/**
 * Bytes of Binaries that are not simply those in `binary_content`: files, and what a Binary had before. What has no row here is in `binary_content` under
 * the Binary's own id, and is its bytes since its first version.
 */
export const binaryFile = pgTable(
  'binary_file',
  {
    projectId: uuid('project_id').notNull(),
    /** Under which it is kept: the file's name, or the id in `binary_content`. */
    key: uuid('key').notNull(),
    /** Null while it comes: then it is nobody's. */
    binaryId: uuid('binary_id'),
    /** `coming` until a version has it; `going` from where on its file is being dropped, and it is nobody's any more. */
    state: text('state', { enum: ['coming', 'kept', 'going'] }).notNull(),
    place: text('place', { enum: ['database', 'files', 's3'] }).notNull(),
    /** The versions that have it: from `since` to before `until`, null of what is current. */
    since: integer('since'),
    until: integer('until'),
    size: bigint('size', { mode: 'number' }),
    /** Of the bytes, in hex. */
    sha256: text('sha256'),
    /** As of a bot's source; null for what is too large to be one. */
    sourceHash: text('source_hash'),
    /** When it was last heard of: an upload says so as it goes on. */
    at: instant('at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.key] }),
    index('binary_file_binary').on(t.projectId, t.binaryId, t.since),
    index('binary_file_loose').on(t.projectId, t.at).where(sql`${t.state} <> 'kept'`),
  ],
);
