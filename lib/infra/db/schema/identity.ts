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
    /** As the sweep last saw it: a policy that it names is not there, and so nobody comes in by it. */
    policyGone: boolean('policy_gone').notNull().default(false),
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
    index('membership_key_policy_gone').on(t.projectId, t.membershipId).where(sql`${t.policyGone}`),
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
