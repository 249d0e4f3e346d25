import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { STORED_INVITE_STATUSES } from '#lib/protocol/requests/invite-statuses.ts';
import { instant } from '../columns.ts';

/** Who signs in with which address. `scope` is SERVER_SCOPE or the project of a project-scoped User. */
export const userLogin = pgTable(
  'user_login',
  {
    scope: uuid('scope').notNull(),
    emailLower: text('email_lower').notNull(),
    userId: uuid('user_id').notNull(),
    /** Of a project: they have registered it themselves, perhaps with an address that is not theirs. Nobody has invited them. */
    selfMade: boolean('self_made').notNull().default(false),
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
    /** By its dates: entered from then on, and until then. Null: without an end on that side. */
    notBefore: instant('not_before'),
    notAfter: instant('not_after'),
    /**
     * Somebody who had an account already, and never proved its address, cannot enter by this membership until they do: an account
     * can be made for anybody's address, and would wait there for the invite.
     */
    awaitsProof: boolean('awaits_proof').notNull().default(false),
    /** Has an access policy. Without one, and not an administrator, a member reaches every record. */
    limited: boolean('limited').notNull().default(false),
    /** What the member is called, where a list needs no more. */
    name: text('name'),
    // What follows is told by other tables, and kept here so that a list or a count costs what it shows (lib/domain/standing).
    inviteStatus: text('invite_status', { enum: STORED_INVITE_STATUSES }).notNull().default('none'),
    /** When the first link or mail was made. */
    invitedAt: instant('invited_at'),
    /** Only of what is pending or failed: from this moment on it has expired, whether or not that is noted yet. */
    inviteEnds: instant('invite_ends'),
    /** Another active membership stands on the same profile. */
    sharesProfile: boolean('shares_profile').notNull().default(false),
    /** What they have beside a password, as HELD_FACTORS in their order, with commas between: '' is nothing, null not looked at yet. */
    factors: text('factors').default(''),
    /** When they first came in otherwise than by password: by then the invitation was accepted. */
    enteredAt: instant('entered_at'),
    /** Of which end they and the administrators were told by mail (people/tell-endings.ts). */
    warnedOf: instant('warned_of'),
    /** As the sweep last saw it: only something that went round the rules can take a profile away. */
    profileGone: boolean('profile_gone').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.membershipId] }),
    uniqueIndex('membership_key_user').on(t.projectId, t.userRef, t.slot),
    uniqueIndex('membership_key_external').on(t.projectId, t.externalId),
    index('membership_key_profile').on(t.projectId, t.profileRef),
    index('membership_key_of_user').on(t.userRef),
    // A webhook's address names nothing else.
    index('membership_key_id').on(t.membershipId),
    index('membership_key_invited')
      .on(t.projectId, t.invitedAt.desc(), t.membershipId)
      .where(sql`${t.invitedAt} is not null`),
    index('membership_key_invite_status')
      .on(t.projectId, t.inviteStatus, t.invitedAt.desc(), t.membershipId)
      .where(sql`${t.invitedAt} is not null`),
    index('membership_key_invite_ends').on(t.projectId, t.inviteEnds).where(sql`${t.inviteEnds} is not null`),
    // As the resource has its id: a search by what stands here goes from either to the other.
    index('membership_key_text').on(t.projectId, sql`(${t.membershipId}::text) collate "C"`),
    index('membership_key_factors').on(t.projectId, t.factors),
    index('membership_key_not_after').on(t.projectId, t.notAfter).where(sql`${t.notAfter} is not null`),
    index('membership_key_not_before').on(t.projectId, t.notBefore).where(sql`${t.notBefore} is not null`),
    // What an administrator should look at (find-findings.ts).
    index('membership_key_unlimited')
      .on(t.projectId, t.membershipId)
      .where(sql`${t.active} and not ${t.limited} and not ${t.admin}`),
    index('membership_key_shared')
      .on(t.projectId, t.profileRef, t.membershipId)
      .where(sql`${t.active} and ${t.sharesProfile}`),
    index('membership_key_gone').on(t.projectId, t.membershipId).where(sql`${t.profileGone}`),
  ],
);

/**
 * How many memberships of each kind. The sum over `slot` counts: connections write to different ones, so that invites at once do not wait for
 * each other's commit. One slot alone may be negative.
 */
export const memberCount = pgTable(
  'member_count',
  {
    projectId: uuid('project_id').notNull(),
    profileType: text('profile_type').notNull(),
    active: boolean('active').notNull(),
    admin: boolean('admin').notNull(),
    /** As it is stored: what has expired since is still told as pending or failed (membership_key.invite_ends). */
    inviteStatus: text('invite_status', { enum: STORED_INVITE_STATUSES }).notNull(),
    limited: boolean('limited').notNull(),
    slot: smallint('slot').notNull(),
    n: integer('n').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'member_count_pk',
      columns: [t.projectId, t.profileType, t.active, t.admin, t.inviteStatus, t.limited, t.slot],
    }),
  ],
);

export const credential = pgTable('credential', {
  userId: uuid('user_id').primaryKey(),
  passwordHash: text('password_hash').notNull(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
  /** Its account was deleted then; it may still come back. */
  endedAt: instant('ended_at'),
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

/** Further secrets of a client, each with a name and an end. Looked for by the client, as the first one. */
export const clientNamedSecret = pgTable(
  'client_named_secret',
  {
    id: uuid('id').primaryKey(),
    clientId: uuid('client_id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** Its last characters, to tell it from others. */
    hint: text('hint').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at'),
    lastUsedAt: instant('last_used_at'),
    /** Of how many days before its end administrators were told last. */
    warnedDays: smallint('warned_days'),
  },
  (t) => [
    index('client_named_secret_client').on(t.clientId),
    index('client_named_secret_ends').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
  ],
);

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
