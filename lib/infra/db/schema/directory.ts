import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * In which projects somebody may be a member, for who knows the person and not the project: there the question goes on, project by
 * project. Written with each membership, and kept after it.
 */
export const userProject = pgTable(
  'user_project',
  {
    userId: uuid('user_id').notNull(),
    projectId: uuid('project_id').notNull(),
    since: instant('since').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.projectId] })],
);
