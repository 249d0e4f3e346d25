import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { FEED_ANSWERS, MESSAGE_STATES } from '#lib/protocol/hl7/feeds/feed-answers.ts';
import { instant } from '../columns.ts';

/** A source of HL7 v2 messages, and the bot that gets them. Ports and certificates are those of the server: it is looked for by them. */
export const hl7Feed = pgTable(
  'hl7_feed',
  {
    id: uuid('id').primaryKey(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    botId: uuid('bot_id').notNull(),
    /** Null: the port that all certificates share. */
    port: integer('port'),
    tls: boolean('tls').notNull(),
    /** SHA-256 of the sender's certificate, in hex. */
    certificate: text('certificate'),
    /** Addresses and networks; none: from anywhere. */
    addresses: text('addresses').array().notNull(),
    answer: text('answer', { enum: FEED_ANSWERS }).notNull(),
    active: boolean('active').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** What the process that listens says of it, every few seconds. */
    heardAt: instant('heard_at'),
    connections: smallint('connections').notNull().default(0),
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    repeated: bigint('repeated', { mode: 'number' }).notNull().default(0),
    refused: bigint('refused', { mode: 'number' }).notNull().default(0),
    /** Why it is not listened for, or why somebody was sent away last. */
    fault: text('fault'),
    faultAt: instant('fault_at'),
    /** When somebody asked last for messages to be run again: whoever runs them looks. */
    wokenAt: instant('woken_at'),
  },
  (t) => [
    index('hl7_feed_project').on(t.projectId),
    uniqueIndex('hl7_feed_port').on(t.port).where(sql`${t.port} is not null`),
    uniqueIndex('hl7_feed_certificate').on(t.certificate).where(sql`${t.port} is null`),
  ],
);

/** A message that was acknowledged, and what came of it. `seq` is the order in which they came, and run. */
export const hl7Message = pgTable(
  'hl7_message',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    feedId: uuid('feed_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    /** MSH-10 and MSH-9. */
    controlId: text('control_id').notNull(),
    type: text('type').notNull(),
    /** The same for what is sent again (lib/domain/hl7-feeds/fingerprint.ts). */
    fingerprint: text('fingerprint').notNull(),
    state: text('state', { enum: MESSAGE_STATES }).notNull(),
    receivedAt: instant('received_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    tries: smallint('tries').notNull().default(0),
    size: integer('size').notNull(),
    /** Null when what it said was erased. */
    text: text('text'),
    /** Identifiers of the patients that it is about (PID-2 to 4, MRG-1). */
    patients: text('patients').array().notNull(),
    /** What the bot answered, when that is an HL7 v2 message. */
    answer: text('answer'),
    failure: text('failure'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    uniqueIndex('hl7_message_order').on(t.projectId, t.feedId, t.seq),
    index('hl7_message_again').on(t.projectId, t.feedId, t.fingerprint),
    index('hl7_message_waiting').on(t.projectId, t.feedId, t.seq).where(sql`${t.state} in ('waiting', 'running')`),
    index('hl7_message_failed').on(t.projectId, t.feedId, t.seq).where(sql`${t.state} = 'failed'`),
    index('hl7_message_age').on(t.projectId, t.receivedAt),
  ],
);
