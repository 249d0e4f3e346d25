import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { instant, textC } from '../../columns.ts';

/** A Subscription whose changes go over a WebSocket: it lives as long as somebody listens, and an hour. */
export const listening = pgTable(
  'listening',
  {
    projectId: uuid('project_id').notNull(),
    subscriptionId: textC('subscription_id').notNull(),
    /** Who made it. */
    membershipId: uuid('membership_id').notNull(),
    /** What it waits for: those that wait for the same have the same. */
    feed: textC('feed').notNull(),
    /** The socket that listens, one of all processes; while its process says so. */
    holder: uuid('holder'),
    /** When that process said so last; when nobody listens any more, since when; before, when it was made. */
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.subscriptionId] }),
    index('listening_member').on(t.projectId, t.membershipId),
  ],
);
