import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

/** How many requests a client has made: the last ones are in client_request. */
export const clientTraffic = pgTable(
  'client_traffic',
  {
    projectId: uuid('project_id').notNull(),
    clientId: uuid('client_id').notNull(),
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    failed: bigint('failed', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.clientId] })],
);

/** The last requests of a client, in slots that are written again and again. Neither ids nor queries nor bodies: no health data. */
export const clientRequest = pgTable(
  'client_request',
  {
    projectId: uuid('project_id').notNull(),
    clientId: uuid('client_id').notNull(),
    slot: smallint('slot').notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
    method: text('method').notNull(),
    route: text('route').notNull(),
    status: integer('status').notNull(),
    remoteAddress: text('remote_address').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.clientId, t.slot] })],
);

/** With which apps register themselves (RFC 7591 §3, "initial access token"). High-entropy, so SHA-256 and a constant-time compare. */
export const registrationToken = pgTable(
  'registration_token',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** Its last characters, to tell it from others. */
    hint: text('hint').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** How many apps may register with it, and how many have. */
    most: integer('most').notNull(),
    used: integer('used').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
);

/** An app that has registered itself, and with which token, also when that is gone. */
export const registeredClient = pgTable(
  'registered_client',
  {
    projectId: uuid('project_id').notNull(),
    clientId: uuid('client_id').notNull(),
    tokenId: uuid('token_id').notNull(),
    tokenName: text('token_name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.clientId] })],
);

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
