import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
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
import { instant } from '../columns.ts';

/** A directory that provisions members of the project. It acts as a client of its own, which has no secret: its tokens are good for SCIM alone. */
export const scimConnection = pgTable(
  'scim_connection',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    clientId: uuid('client_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    /** Whom it adds is invited by mail. */
    sendEmail: boolean('send_email').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
    /** How many it has made: the last ones are in scim_request. */
    requests: bigint('requests', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] })],
);

/** High-entropy, so SHA-256 and a constant-time compare. Several at once, to change them without a gap. */
export const scimToken = pgTable(
  'scim_token',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    secretHash: text('secret_hash').notNull(),
    /** Its last characters, to tell it from others. */
    hint: text('hint').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.id] }), index('scim_token_connection').on(t.projectId, t.connectionId)],
);

/** The last requests of a connection, in slots that are written again and again. No bodies, no query: neither names nor health data. */
export const scimRequest = pgTable(
  'scim_request',
  {
    projectId: uuid('project_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    slot: smallint('slot').notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
    method: text('method').notNull(),
    path: text('path').notNull(),
    status: integer('status').notNull(),
    error: text('error'),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.connectionId, t.slot] })],
);

/** Whom a connection manages: those that it made, and those that it has changed since. */
export const scimMember = pgTable(
  'scim_member',
  {
    projectId: uuid('project_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.membershipId] }),
    index('scim_member_connection').on(t.projectId, t.connectionId),
  ],
);

/** A group as its directory keeps it, and what an administrator says that its members have. */
export const scimGroup = pgTable(
  'scim_group',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    displayName: text('display_name').notNull(),
    externalId: text('external_id'),
    version: integer('version').notNull().default(1),
    /** Entries as a membership's `access` has them. */
    access: jsonb('access').notNull().default([]),
    admin: boolean('admin').notNull().default(false),
    /** Which person said so last: they cannot give it to themselves by way of a directory. */
    mappedBy: text('mapped_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('scim_group_name').on(t.projectId, t.connectionId, sql`lower(${t.displayName})`),
    uniqueIndex('scim_group_external').on(t.projectId, t.connectionId, t.externalId),
  ],
);

export const scimGroupMember = pgTable(
  'scim_group_member',
  {
    projectId: uuid('project_id').notNull(),
    groupId: uuid('group_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.groupId, t.membershipId] }),
    index('scim_group_member_of').on(t.projectId, t.membershipId),
  ],
);

/** What stands on a membership only because groups of a connection give it: what else stands there was given by hand. */
export const scimGiven = pgTable(
  'scim_given',
  {
    projectId: uuid('project_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    /** Names of entries of `access`, as lib/domain/groups/entries.ts makes them. */
    access: jsonb('access').notNull(),
    admin: boolean('admin').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.membershipId, t.connectionId] })],
);
