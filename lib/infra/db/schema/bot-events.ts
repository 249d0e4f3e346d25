import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** When a bot runs next by its `cronString` or `cronTiming`. Who moves `next_at` on fires it, in the same transaction. */
export const botSchedule = pgTable(
  'bot_schedule',
  {
    projectId: uuid('project_id').notNull(),
    botId: uuid('bot_id').notNull(),
    /** What its bot says, read: expressions and their zone, as JSON. */
    times: text('times').notNull(),
    nextAt: instant('next_at').notNull(),
    /** The last of its times that was fired, or found to have passed. */
    lastAt: instant('last_at'),
    /** Of the times before `last_at` that passed while no server ran, or while an earlier one waited, since when, and how many. */
    missedSince: instant('missed_since'),
    missed: integer('missed').notNull().default(0),
    /** Why `last_at` was not fired. */
    note: text('note'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.botId] }), index('bot_schedule_next').on(t.nextAt)],
);

/**
 * Something that a bot is to be run with, accepted once by its `key`, of what is stored nowhere else. The input is a patient's data: it goes when the
 * run has ended well, or with its dead letter.
 */
export const botEvent = pgTable(
  'bot_event',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    botId: uuid('bot_id').notNull(),
    trigger: text('trigger').notNull(),
    /** Names the event for who sends it: the same of one bot is the same event. */
    key: text('key').notNull(),
    state: text('state', { enum: ['waiting', 'ended', 'dead'] })
      .notNull()
      .default('waiting'),
    /** As JSON text: jsonb would not hold every string. Null once it has ended. */
    input: text('input'),
    createdAt: instant('created_at').notNull().defaultNow(),
    endedAt: instant('ended_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('bot_event_key').on(t.projectId, t.botId, t.key),
    index('bot_event_waiting').on(t.projectId).where(sql`${t.state} = 'waiting'`),
    index('bot_event_ended').on(t.endedAt),
  ],
);

/** An event for a bot that was given up, until somebody replays or drops it. It names what it is about, and holds nothing of it. */
export const deadLetter = pgTable(
  'dead_letter',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    /** Null where none was found. */
    botId: uuid('bot_id'),
    trigger: text('trigger').notNull(),
    /** As the queue had it: by this it is replayed. */
    job: jsonb('job').notNull(),
    /** "Patient/id/_history/2", "Subscription/id" or what else names it. */
    focus: text('focus').notNull(),
    attempts: integer('attempts').notNull(),
    firstFailedAt: instant('first_failed_at').notNull(),
    lastFailedAt: instant('last_failed_at').notNull(),
    message: text('message').notNull(),
    /** That of the runs that it failed with (`botRun.fingerprint`); of what failed without one, the same where it is alike. */
    fingerprint: text('fingerprint').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('dead_letter_time').on(t.projectId, t.lastFailedAt.desc(), t.id),
    index('dead_letter_bot').on(t.projectId, t.botId, t.lastFailedAt.desc(), t.id),
  ],
);
