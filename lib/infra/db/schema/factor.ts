import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { FACTOR_METHODS } from '#lib/protocol/factors/answers.ts';
import { instant } from '../columns.ts';

/** What a person proves beside the password. Until `enrolledAt` it is a secret that is offered, and nothing asks for it. */
export const factor = pgTable(
  'factor',
  {
    userId: uuid('user_id').notNull(),
    method: text('method', { enum: FACTOR_METHODS }).notNull(),
    /** Of an authenticator, in base32, sealed. Mailed codes have none. */
    secretSealed: text('secret_sealed'),
    createdAt: instant('created_at').notNull().defaultNow(),
    enrolledAt: instant('enrolled_at'),
    /** The latest time step whose code was used (RFC 6238 §5.2: once). */
    lastStep: integer('last_step'),
  },
  (t) => [primaryKey({ columns: [t.userId, t.method] })],
);

/** For who has lost the other factors. A row goes with its use. */
export const recoveryCode = pgTable(
  'recovery_code',
  {
    userId: uuid('user_id').notNull(),
    codeHash: text('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.codeHash] })],
);

/** The six digits that were mailed for one login, the newest (HMAC: so few could be guessed from a plain hash). A row goes with its use. */
export const factorCode = pgTable(
  'factor_code',
  {
    userId: uuid('user_id').notNull(),
    loginId: uuid('login_id').notNull(),
    codeHash: text('code_hash').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.loginId] })],
);
