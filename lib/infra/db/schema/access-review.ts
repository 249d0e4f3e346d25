import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Held, ReviewScope } from '#lib/protocol/access-reviews/answers.ts';
import { REVIEW_DECISIONS, REVIEW_STATES } from '#lib/protocol/access-reviews/requests.ts';
import { instant } from '../columns.ts';

/** Members are looked at one by one: whether each keeps what they may do. What was decided is applied when it is closed. */
export const accessReview = pgTable(
  'access_review',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    state: text('state', { enum: REVIEW_STATES }).notNull().default('open'),
    scope: jsonb('scope').$type<ReviewScope>().notNull(),
    /** Ids of memberships. */
    reviewers: jsonb('reviewers').$type<string[]>().notNull(),
    dueAt: instant('due_at').notNull(),
    /** When its reviewers are told next; null when they were told all. */
    remindAt: instant('remind_at'),
    total: integer('total').notNull(),
    decided: integer('decided').notNull().default(0),
    applied: integer('applied').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdByDisplay: text('created_by_display'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Who closed or cancelled it: with their rights what was decided is applied. A super-admin's membership is in another project. */
    closedBy: text('closed_by'),
    closedByDisplay: text('closed_by_display'),
    actorProjectId: uuid('actor_project_id'),
    actorMembershipId: uuid('actor_membership_id'),
    loginId: uuid('login_id'),
    onBehalfOf: text('on_behalf_of'),
    requestId: text('request_id'),
    remoteAddress: text('remote_address'),
    closedAt: instant('closed_at'),
    /** The signature over the result (RFC 7515). */
    jws: text('jws'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('access_review_time').on(t.projectId, t.createdAt.desc(), t.id),
    index('access_review_remind').on(t.projectId, t.remindAt),
  ],
);

export const accessReviewRow = pgTable(
  'access_review_row',
  {
    projectId: uuid('project_id').notNull(),
    reviewId: uuid('review_id').notNull(),
    /** From 1, by name. */
    number: integer('number').notNull(),
    membershipId: uuid('membership_id').notNull(),
    who: text('who').notNull(),
    userRef: text('user_ref').notNull(),
    profileRef: text('profile_ref').notNull(),
    decision: text('decision', { enum: REVIEW_DECISIONS }),
    /** What they had when it was decided, and of a reduction what is to be left. */
    held: jsonb('held').$type<Held>(),
    wanted: jsonb('wanted').$type<Held>(),
    note: text('note'),
    decidedBy: uuid('decided_by'),
    decidedByDisplay: text('decided_by_display'),
    decidedAt: instant('decided_at'),
    /** Since it is closed: nothing is left to do with it. */
    ended: boolean('ended').notNull().default(false),
    outcome: text('outcome'),
    message: text('message'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.reviewId, t.number] }),
    uniqueIndex('access_review_row_member').on(t.projectId, t.reviewId, t.membershipId),
    index('access_review_row_of_member').on(t.projectId, t.membershipId),
  ],
);

export type AccessReviewRow = typeof accessReview.$inferSelect;
export type ReviewedRow = typeof accessReviewRow.$inferSelect;
