import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** What a change is, as `kind` says: another address, or which second factor goes and whether the passkeys do. Nothing where the account is erased. */
export type ChangeDetail = {
  email?: string;
  profiles?: boolean;
  method?: 'totp' | 'email';
  passkeys?: boolean;
  /** Whoever runs the server asked: also where other projects know the person. */
  above?: boolean;
};

/** A change of what somebody signs in with, or its end for good, that waits: until then it can be stopped by whoever has their old address. */
export const accountChange = pgTable(
  'account_change',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['address', 'factors', 'erase'] }).notNull(),
    userId: uuid('user_id').notNull(),
    /** Where the account stands. */
    scope: uuid('scope').notNull(),
    /** In which project an administrator asked for it, about which membership if about one. Null: the person did. */
    projectId: uuid('project_id'),
    membershipId: uuid('membership_id'),
    /** As whom: "User/id" or a profile. */
    askedBy: text('asked_by').notNull(),
    detail: jsonb('detail').$type<ChangeDetail>().notNull(),
    /** Of the mail to the old address, and of the one that asks to confirm the new one. */
    stopHash: text('stop_hash').notNull(),
    confirmHash: text('confirm_hash'),
    confirmedAt: instant('confirmed_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Not before. */
    dueAt: instant('due_at').notNull(),
    /** What nobody has confirmed by then is no longer meant. */
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    outcome: text('outcome', { enum: ['done', 'stopped', 'cancelled', 'failed', 'lapsed'] }),
  },
  (t) => [
    // One of each kind waits at most.
    uniqueIndex('account_change_open').on(t.userId, t.kind).where(sql`${t.endedAt} is null`),
    index('account_change_due').on(t.dueAt).where(sql`${t.endedAt} is null`),
  ],
);

export type ChangeRow = typeof accountChange.$inferSelect;
