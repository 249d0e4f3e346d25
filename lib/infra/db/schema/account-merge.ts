import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** Somebody who is signed in has begun to sign in to another account of theirs too, to have both made one. One of each session at most. */
export const accountMerge = pgTable('account_merge', {
  /** The session that asked, and whose: it alone goes on with it. */
  loginId: uuid('login_id').primaryKey(),
  userId: uuid('user_id').notNull(),
  /** The account that ends, and the sign-in by which it is shown (in the server's scope, without a membership). */
  otherUserId: uuid('other_user_id').notNull(),
  otherLoginId: uuid('other_login_id').notNull(),
  secretHash: text('secret_hash').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
});

export type MergeRow = typeof accountMerge.$inferSelect;
