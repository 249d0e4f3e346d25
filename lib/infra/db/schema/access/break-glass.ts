import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../columns.ts';

/** Emergency access: a member has one of the project’s policies for minutes; another administrator looks at it afterwards, and closes it. */
export const breakGlass = pgTable(
  'break_glass',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    /** Whose the membership was then: accounts are merged. */
    userRef: text('user_ref').notNull(),
    profileRef: text('profile_ref').notNull(),
    /** `AccessPolicy/id` */
    policy: text('policy').notNull(),
    reason: text('reason').notNull(),
    openedAt: instant('opened_at').notNull().defaultNow(),
    endsAt: instant('ends_at').notNull(),
    /** Null while it lasts; and, when its time is over, until that is noted. */
    endedAt: instant('ended_at'),
    endedBy: text('ended_by', { enum: ['time', 'member', 'administrator'] }),
    /** An administrator. */
    enderRef: text('ender_ref'),
    closedAt: instant('closed_at'),
    closerRef: text('closer_ref'),
    closerDisplay: text('closer_display'),
    closerMembership: uuid('closer_membership'),
    note: text('note'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('break_glass_open').on(t.projectId, t.membershipId).where(sql`ended_at is null`),
    index('break_glass_member').on(t.projectId, t.membershipId, t.openedAt.desc(), t.id),
    index('break_glass_time').on(t.projectId, t.openedAt.desc(), t.id),
    index('break_glass_unclosed').on(t.projectId, t.openedAt.desc(), t.id).where(sql`closed_at is null`),
    index('break_glass_due').on(t.projectId, t.endsAt).where(sql`ended_at is null`),
  ],
);

export type BreakGlassRow = typeof breakGlass.$inferSelect;
