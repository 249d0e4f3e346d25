import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { instant } from '../columns.ts';

export const login = pgTable(
  'login',
  {
    /** SERVER_SCOPE while it waits for its membership, which a person with several chooses later: with that it moves to the project. First, as of what is done at home (cluster/at-home.ts). */
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    userRef: text('user_ref').notNull(),
    authMethod: text('auth_method', {
      enum: ['client', 'exchange', 'external', 'link', 'passkey', 'password'],
    }).notNull(),
    authTime: instant('auth_time').notNull(),
    /** What a login that waits was limited to. */
    limitedTo: uuid('limited_to'),
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
    /** The app has shown who it is, or must: its code and its refresh tokens are good only with that. */
    needsProof: boolean('needs_proof').notNull().default(false),
    refreshHash: text('refresh_hash'),
    previousRefreshHash: text('previous_refresh_hash'),
    /** The successor, sealed, so that the grace window can hand the same one to a second tab. */
    refreshSealed: text('refresh_sealed'),
    refreshRotatedAt: instant('refresh_rotated_at'),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    /** When the person proved a second factor for it, if they did. */
    factorAt: instant('factor_at'),
    /** When they last showed who they are, where that was not with the sign-in itself (proofs/last-proof.ts). */
    provenAt: instant('proven_at'),
    /** The browser it began in (known_device). */
    deviceId: uuid('device_id'),
    /** The project's own provider named somebody whose account stands above projects: it speaks for them here, and nowhere else. */
    withinProject: boolean('within_project').notNull().default(false),
    /** Which record the app was started about, if about one. */
    launch: jsonb('launch').$type<LaunchContext>(),
    remoteAddress: text('remote_address'),
    userAgent: text('user_agent'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('login_code').on(t.projectId, t.codeHash).where(sql`${t.codeHash} is not null`),
    // The newest are asked for: programs have tens of thousands.
    index('login_membership').on(t.projectId, t.membershipId, t.lastUsedAt),
    index('login_user').on(t.userRef, t.lastUsedAt),
    index('login_client').on(t.projectId, t.clientId).where(sql`auth_method <> 'client'`),
  ],
);

/** The logins of a program that began up to this moment are ended: it has one for every token, too many to end each by itself. */
export const loginCutoff = pgTable(
  'login_cutoff',
  {
    projectId: uuid('project_id').notNull(),
    userRef: text('user_ref').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.userRef] })],
);

export type LoginRow = typeof login.$inferSelect;

/** Links that are spent once, by POST only. `userId` with `kind` has at most one open link. */
export const oneTimeLink = pgTable(
  'one_time_link',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['invite', 'reset', 'verify-email', 'reopen'] }).notNull(),
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
    /** The membership that it was for has ended. */
    membershipEndedAt: instant('membership_ended_at'),
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
    // For lists, which ask for one link after the other: as near however many there are.
    index('one_time_link_member').using('hash', t.membershipId),
  ],
);
