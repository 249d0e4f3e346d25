import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** Who signs in with which address. `scope` is SERVER_SCOPE or the project of a project-scoped User. */
export const userLogin = pgTable(
  'user_login',
  {
    scope: uuid('scope').notNull(),
    emailLower: text('email_lower').notNull(),
    userId: uuid('user_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.scope, t.emailLower] }),
    uniqueIndex('user_login_user').on(t.userId),
    // One address may stand in many scopes.
    index('user_login_email').on(t.emailLower),
    check('user_login_lower', sql`${t.emailLower} = lower(${t.emailLower})`),
  ],
);

/**
 * The rules of a ProjectMembership that stand outside its JSON. `slot` is '' for a person's one membership and the membership's
 * own id where forceNewMembership asked for a further one, so that two invites at once cannot both make the first.
 */
export const membershipKey = pgTable(
  'membership_key',
  {
    projectId: uuid('project_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    userRef: text('user_ref').notNull(),
    slot: text('slot').notNull().default(''),
    profileRef: text('profile_ref').notNull(),
    externalId: text('external_id'),
    active: boolean('active').notNull().default(true),
    admin: boolean('admin').notNull().default(false),
    /**
     * Somebody who had an account already, and never proved its address, cannot enter by this membership until they do: an account
     * can be made for anybody's address, and would wait there for the invite.
     */
    awaitsProof: boolean('awaits_proof').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.membershipId] }),
    uniqueIndex('membership_key_user').on(t.projectId, t.userRef, t.slot),
    uniqueIndex('membership_key_external').on(t.projectId, t.externalId),
    index('membership_key_profile').on(t.projectId, t.profileRef),
    index('membership_key_of_user').on(t.userRef),
    // A webhook's address names nothing else.
    index('membership_key_id').on(t.membershipId),
  ],
);

export const credential = pgTable('credential', {
  userId: uuid('user_id').primaryKey(),
  passwordHash: text('password_hash').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

/** High-entropy secrets, so SHA-256 and a constant-time compare. The client's id is globally unique: tokens are asked for without naming a project. */
export const clientSecret = pgTable(
  'client_secret',
  {
    clientId: uuid('client_id').primaryKey(),
    projectId: uuid('project_id').notNull(),
    secretHash: text('secret_hash').notNull(),
    retiringHash: text('retiring_hash'),
    rotatedAt: instant('rotated_at').notNull().defaultNow(),
  },
  (t) => [index('client_secret_project').on(t.projectId)],
);

export const login = pgTable(
  'login',
  {
    id: uuid('id').primaryKey(),
    userRef: text('user_ref').notNull(),
    authMethod: text('auth_method', { enum: ['password', 'client'] }).notNull(),
    authTime: instant('auth_time').notNull(),
    /** What the sign-in was limited to; a login gets its membership later when a person has several. */
    projectId: uuid('project_id'),
    membershipId: uuid('membership_id'),
    clientId: text('client_id'),
    profileType: text('profile_type'),
    scope: text('scope').notNull(),
    nonce: text('nonce'),
    codeHash: text('code_hash'),
    codeExpiresAt: instant('code_expires_at'),
    codeChallenge: text('code_challenge'),
    codeChallengeMethod: text('code_challenge_method', { enum: ['plain', 'S256'] }),
    redirectUri: text('redirect_uri'),
    granted: boolean('granted').notNull().default(false),
    revoked: boolean('revoked').notNull().default(false),
    refreshHash: text('refresh_hash'),
    previousRefreshHash: text('previous_refresh_hash'),
    /** The successor, sealed, so that the grace window can hand the same one to a second tab. */
    refreshSealed: text('refresh_sealed'),
    refreshRotatedAt: instant('refresh_rotated_at'),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    remoteAddress: text('remote_address'),
    userAgent: text('user_agent'),
  },
  (t) => [
    uniqueIndex('login_code').on(t.codeHash),
    // The newest are asked for: programs have tens of thousands.
    index('login_membership').on(t.projectId, t.membershipId, t.lastUsedAt),
    index('login_user').on(t.userRef, t.lastUsedAt),
    index('login_client').on(t.projectId, t.clientId).where(sql`auth_method <> 'client'`),
  ],
);

/** The logins of a program that began up to this moment are ended: it has one for every token, too many to end each by itself. */
export const loginCutoff = pgTable('login_cutoff', {
  userRef: text('user_ref').primaryKey(),
  at: instant('at').notNull(),
});

export type LoginRow = typeof login.$inferSelect;

/** Links that are spent once, by POST only. `userId` with `kind` has at most one open link. */
export const oneTimeLink = pgTable(
  'one_time_link',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['invite', 'reset', 'verify-email'] }).notNull(),
    userId: uuid('user_id').notNull(),
    projectId: uuid('project_id'),
    membershipId: uuid('membership_id'),
    secretHash: text('secret_hash').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    openedAt: instant('opened_at'),
    usedAt: instant('used_at'),
    supersededAt: instant('superseded_at'),
    /** An administrator took the invitation back. Such a link is superseded too. */
    revokedAt: instant('revoked_at'),
    /** An administrator was given it to pass on, instead of mailing it. */
    handedAt: instant('handed_at'),
    /** The six digits in the same mail (HMAC: so few could be guessed from a plain hash), and how often they were tried. */
    codeHash: text('code_hash'),
    codeTries: integer('code_tries').notNull().default(0),
    /** A second secret, given for the right code: the mailed one goes on working. */
    codeSecretHash: text('code_secret_hash'),
  },
  (t) => [
    index('one_time_link_user').on(t.userId, t.kind),
    index('one_time_link_membership').on(t.projectId, t.membershipId),
  ],
);

export const signingKey = pgTable('signing_key', {
  kid: uuid('kid').primaryKey(),
  alg: text('alg').notNull(),
  publicJwk: jsonb('public_jwk').notNull(),
  privateSealed: text('private_sealed').notNull(),
  active: boolean('active').notNull().default(true),
  createdAt: instant('created_at').notNull().defaultNow(),
});

export const rateCounter = pgTable('rate_counter', {
  key: text('key').primaryKey(),
  count: integer('count').notNull(),
  resetAt: instant('reset_at').notNull(),
});
