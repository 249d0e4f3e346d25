import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** Of a person in one project, for their scripts. High-entropy, so SHA-256 and a constant-time compare. */
export const apiKey = pgTable(
  'api_key',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    userRef: text('user_ref').notNull(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** Its last characters, to tell it from others. */
    hint: text('hint').notNull(),
    /** SMART scopes: what of the membership's rights it has. */
    scope: text('scope').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('api_key_membership').on(t.projectId, t.membershipId),
    index('api_key_user').on(t.projectId, t.userRef),
  ],
);
