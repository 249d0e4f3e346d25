import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { textC } from '../../columns.ts';

/** What is asked of a CodeSystem without its content, which may be large. Made from the resource: good while it has that very version. */
export const codeSystem = pgTable(
  'code_system',
  {
    projectId: uuid('project_id').notNull(),
    /** Of the resource. */
    id: textC('id').notNull(),
    /** Of the resource, as it was read. */
    rowVersion: integer('row_version').notNull(),
    url: textC('url').notNull(),
    /** What the resource says of itself: version, name, title, status, content. */
    head: jsonb('head').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), index('code_system_url').on(t.projectId, t.url)],
);

/** A concept of a CodeSystem. */
export const concept = pgTable(
  'concept',
  {
    projectId: uuid('project_id').notNull(),
    /** Of the CodeSystem. */
    systemId: textC('system_id').notNull(),
    code: textC('code').notNull(),
    /** Its place in the CodeSystem, children after their parents. */
    at: integer('at').notNull(),
    display: text('display'),
    definition: text('definition'),
    /** Code and display as a filter looks for them: folded. */
    sought: textC('sought').notNull(),
    parents: text('parents').array().notNull(),
    /** Parents, theirs, and so on. */
    ancestors: text('ancestors').array().notNull(),
    /** `designation` and `property`, as the resource has them. */
    rest: jsonb('rest').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.systemId, t.code] }),
    index('concept_at').on(t.projectId, t.systemId, t.at),
  ],
);
