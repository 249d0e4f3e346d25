import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { REQUEST_STATES } from '#lib/protocol/access-requests/requests.ts';
import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import { instant } from '../columns.ts';

/** A member asks for what they were refused, or may be. An administrator gives it for a time, or says why not. */
export const accessRequest = pgTable(
  'access_request',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    /** Whose the membership was when it was asked: accounts are merged. */
    userRef: text('user_ref').notNull(),
    profileRef: text('profile_ref').notNull(),
    type: text('type').notNull(),
    interaction: text('interaction').notNull(),
    /** The refusal that it is about. */
    decisionId: uuid('decision_id'),
    reason: text('reason').notNull(),
    state: text('state', { enum: REQUEST_STATES }).notNull().default('open'),
    createdAt: instant('created_at').notNull().defaultNow(),
    closedAt: instant('closed_at'),
    decidedBy: text('decided_by'),
    decidedByDisplay: text('decided_by_display'),
    /** Told when what they gave ends; a super-admin’s is in another project. */
    decidedByMembership: uuid('decided_by_membership'),
    answer: text('answer'),
    /** As it was put into the membership. */
    entry: jsonb('entry').$type<AccessEntry>(),
    endsAt: instant('ends_at'),
    /** When it is looked at next by itself: it lapses, or what was given ends. Null when that is done. */
    dueAt: instant('due_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('access_request_open')
      .on(t.projectId, t.membershipId, t.type, t.interaction)
      .where(sql`state = 'open'`),
    index('access_request_member').on(t.projectId, t.membershipId, t.createdAt.desc(), t.id),
    index('access_request_time').on(t.projectId, t.createdAt.desc(), t.id),
    index('access_request_due').on(t.projectId, t.dueAt),
  ],
);

export type AccessRequestRow = typeof accessRequest.$inferSelect;
