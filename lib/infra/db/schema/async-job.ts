import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/**
 * A request that was answered before it was done (Prefer: respond-async). It runs in one process, which holds it and says every second that it is
 * still at it; a job that nobody holds, and of which nobody says so, was cut off with its process. The result is a patient's data: it is kept for days, not for good.
 */
export const asyncJob = pgTable(
  'async_job',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    /** Who asked, and may see it. */
    membershipId: uuid('membership_id').notNull(),
    status: text('status', { enum: ['accepted', 'active', 'completed', 'error', 'cancelled'] }).notNull(),
    request: text('request').notNull(),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
    aliveAt: instant('alive_at').notNull().defaultNow(),
    /** Parameters, as JSON text: jsonb would not hold every string. */
    output: text('output'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('async_job_open').on(t.aliveAt).where(sql`${t.finishedAt} is null`),
    index('async_job_finished').on(t.finishedAt),
  ],
);
