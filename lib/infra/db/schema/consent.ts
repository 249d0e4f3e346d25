import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** What a person has let an app have of them, so that it is not asked again. An app is of one project; it may ask for less later, not for more. */
export const consent = pgTable(
  'consent',
  {
    projectId: uuid('project_id').notNull(),
    userRef: text('user_ref').notNull(),
    clientId: uuid('client_id').notNull(),
    scope: text('scope').notNull(),
    grantedAt: instant('granted_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.userRef, t.clientId] })],
);
