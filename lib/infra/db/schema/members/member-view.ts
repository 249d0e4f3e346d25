import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/** An administrator looks at the project with a member’s eyes, for ten minutes at most. */
export const memberView = pgTable(
  'member_view',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    /** The session of who looks: the view ends with it. */
    loginId: uuid('login_id').notNull(),
    /** The membership of who looks. */
    viewerId: uuid('viewer_id').notNull(),
    viewerDisplay: text('viewer_display'),
    membershipId: uuid('membership_id').notNull(),
    /** Whose the membership was when it began: accounts are merged. */
    userRef: text('user_ref').notNull(),
    reason: text('reason').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    endsAt: instant('ends_at').notNull(),
    /** Before its time. */
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('member_view_member').on(t.projectId, t.membershipId, t.createdAt.desc(), t.id),
    index('member_view_viewer').on(t.projectId, t.viewerId, t.createdAt),
    index('member_view_login').on(t.projectId, t.loginId),
  ],
);

export type MemberViewRow = typeof memberView.$inferSelect;
