import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** A sign-in that was begun by mail: what it asked for, and what the mail says. A row goes with its use. */
export const signInLink = pgTable('sign_in_link', {
  /** Known to the browser that began it, and in the mailed link: the code is good with it alone. */
  id: uuid('id').primaryKey(),
  /** Null where nobody may sign in by link with this address: nobody is told that. */
  userId: uuid('user_id'),
  /** Hash of the address that it was mailed to. */
  addressHash: text('address_hash').notNull(),
  secretHash: text('secret_hash').notNull(),
  /** The six digits (HMAC: so few could be guessed from a plain hash), and how often they were tried. */
  codeHash: text('code_hash').notNull(),
  codeTries: integer('code_tries').notNull().default(0),
  request: jsonb('request').notNull(),
  expiresAt: instant('expires_at').notNull(),
});
