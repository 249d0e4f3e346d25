import { sql } from 'drizzle-orm';
import { integer, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { textC } from '../../columns.ts';

/** What a project's own SearchParameter says of one type, as it was indexed. */
export const searchParameter = pgTable(
  'search_parameter',
  {
    projectId: uuid('project_id').notNull(),
    /** Part of what is indexed: never that of another meaning. The highest stays, so that none comes again. */
    number: integer('number').notNull(),
    /** Of the resource. */
    id: textC('id').notNull(),
    /** 0 of the words of all types, which a setting of the project asks for. */
    typeId: smallint('type_id').notNull(),
    code: textC('code').notNull(),
    /** Type, expression, targets. */
    definition: jsonb('definition').notNull(),
    /** `building` while rows may lack its entries, `ready`, `ended` until what was indexed for it is gone. */
    state: text('state').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.number] }),
    uniqueIndex('search_parameter_code').on(t.projectId, t.typeId, t.code).where(sql`state <> 'ended'`),
  ],
);
