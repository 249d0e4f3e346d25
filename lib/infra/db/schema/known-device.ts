import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** A browser that somebody has come in by, as it shows itself by the word that it keeps (limits/known-device.ts). */
export const knownDevice = pgTable(
  'known_device',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** What the person calls it, if anything. */
    name: text('name'),
    userAgent: text('user_agent').notNull(),
    remoteAddress: text('remote_address').notNull(),
    firstSeenAt: instant('first_seen_at').notNull().defaultNow(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
  },
  (t) => [uniqueIndex('known_device_token').on(t.userId, t.tokenHash)],
);
