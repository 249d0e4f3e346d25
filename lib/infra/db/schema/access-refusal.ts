import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** What a member was refused by their policies: who, what and when, for an administrator to look up. Equal ones of an hour are one row. */
export const accessRefusal = pgTable(
  'access_refusal',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    membershipId: uuid('membership_id').notNull(),
    profile: text('profile').notNull(),
    /** Who really asked, where that is another member. */
    caller: text('caller'),
    clientId: text('client_id'),
    scope: text('scope').notNull(),
    requestId: text('request_id').notNull(),
    type: text('type').notNull(),
    resourceId: text('resource_id'),
    interaction: text('interaction').notNull(),
    text: text('text').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('access_refusal_member').on(t.projectId, t.membershipId, t.at),
    index('access_refusal_time').on(t.projectId, t.at),
    index('access_refusal_resource').on(t.projectId, t.type, t.resourceId),
  ],
);

export type RefusalRow = typeof accessRefusal.$inferSelect;
