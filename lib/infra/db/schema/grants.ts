import { boolean, jsonb, pgTable, primaryKey, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import { instant } from '../columns.ts';

/** Authorization requests that an app has sent us beforehand (RFC 9126), by the hash of what names them. Each is taken once. */
export const pushedRequest = pgTable(
  'pushed_request',
  {
    projectId: uuid('project_id').notNull(),
    hash: text('hash').notNull(),
    clientId: uuid('client_id').notNull(),
    /** Form-encoded, without what proved the client. */
    params: text('params').notNull(),
    /** The app has shown who it is. */
    needsProof: boolean('needs_proof').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hash] })],
);

/** Starts of an app about a record (SMART App Launch, EHR launch), by the hash of what names them: each for one app and one person, and taken once. */
export const appLaunch = pgTable(
  'app_launch',
  {
    projectId: uuid('project_id').notNull(),
    hash: text('hash').notNull(),
    clientId: uuid('client_id').notNull(),
    userRef: text('user_ref').notNull(),
    context: jsonb('context').$type<LaunchContext>().notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.hash] })],
);

/**
 * Sign-ins on a device that has no browser (RFC 8628), which wait for a person's answer on another. They are found by what that person types,
 * which names no project.
 */
export const deviceRequest = pgTable(
  'device_request',
  {
    deviceHash: text('device_hash').primaryKey(),
    /** HMAC: so few letters could be guessed from a plain hash. */
    userCodeHash: text('user_code_hash').notNull(),
    projectId: uuid('project_id').notNull(),
    clientId: uuid('client_id').notNull(),
    scope: text('scope').notNull(),
    needsProof: boolean('needs_proof').notNull(),
    state: text('state', { enum: ['waiting', 'allowed', 'denied'] })
      .notNull()
      .default('waiting'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** So many seconds must lie between two questions. */
    pollSeconds: smallint('poll_seconds').notNull(),
    polledAt: instant('polled_at'),
    /** Who has allowed it, as which member, and when they had signed in. */
    userId: uuid('user_id'),
    membershipId: uuid('membership_id'),
    authTime: instant('auth_time'),
    authMethod: text('auth_method', { enum: ['client', 'exchange', 'external', 'link', 'passkey', 'password'] }),
    factorAt: instant('factor_at'),
  },
  (t) => [uniqueIndex('device_request_user_code').on(t.userCodeHash)],
);

/** What we show an identity provider to be known there, of the client or domain that names it ("ClientApplication/id"). */
export const providerSecret = pgTable(
  'provider_secret',
  {
    projectId: uuid('project_id').notNull(),
    owner: text('owner').notNull(),
    /** For this address alone: who may change the address need not know the secret. */
    tokenUrl: text('token_url').notNull(),
    valueSealed: text('value_sealed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.owner] })],
);
