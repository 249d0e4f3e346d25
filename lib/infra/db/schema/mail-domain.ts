import { boolean, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { DomainJoins } from '#lib/protocol/answers/mail-domains.ts';
import { instant } from '../columns.ts';

/** An e-mail domain that a project says is its own. While it is verified, a DomainConfiguration of the server names the project as its owner. */
export const mailDomain = pgTable(
  'mail_domain',
  {
    projectId: uuid('project_id').notNull(),
    /** In small letters, as DNS has it. */
    domain: text('domain').notNull(),
    /** What must stand in DNS, in plain view. */
    challenge: text('challenge').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    verifiedAt: instant('verified_at'),
    /** When DNS answered last. */
    checkedAt: instant('checked_at'),
    /** Since when DNS says no longer what it said. */
    missingSince: instant('missing_since'),
    /** Its people enter the project by its provider alone, while it is verified. */
    enforced: boolean('enforced').notNull().default(false),
    /** As what somebody becomes a member whom its provider names, and nobody here knows; null: they do not. */
    joins: jsonb('joins').$type<DomainJoins>(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.domain] })],
);
