import { bigint, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant } from '../columns.ts';

/** Where the chain over a project's audit rows stands (lib/protocol/audit/chain.ts). Locked by who seals, and by nobody who writes. */
export const auditChain = pgTable('audit_chain', {
  projectId: uuid('project_id').primaryKey(),
  /** The number of the last row, and its hash. */
  seq: bigint('seq', { mode: 'number' }).notNull().default(0),
  hash: text('hash').notNull(),
  /** The last row that retention has dropped: the chain is anchored there. */
  startSeq: bigint('start_seq', { mode: 'number' }).notNull().default(0),
  startHash: text('start_hash').notNull(),
  /** All rows that are older were seen to be sealed. */
  completeTo: instant('complete_to'),
});

/** A piece of the chain: which rows, in their order, and their hashes, 32 bytes each. A row of its own for each would cost as much as the log. */
export const auditSeal = pgTable(
  'audit_seal',
  {
    projectId: uuid('project_id').notNull(),
    /** The number of its first row. */
    first: bigint('first', { mode: 'number' }).notNull(),
    last: bigint('last', { mode: 'number' }).notNull(),
    events: uuid('events').array().notNull(),
    hashes: bytea('hashes').notNull(),
    /** The time of the latest of its rows. */
    newest: instant('newest').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.first] }), index('audit_seal_newest').on(t.projectId, t.newest)],
);

/** Where the chain stood, signed: what was deleted since is missed by whoever kept one. */
export const auditHead = pgTable(
  'audit_head',
  {
    projectId: uuid('project_id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    jws: text('jws').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.projectId, t.seq] })],
);

/** The public halves of keys that signed heads: they are asked for when the key itself is long gone. */
export const auditKey = pgTable('audit_key', {
  kid: text('kid').primaryKey(),
  publicJwk: jsonb('public_jwk').notNull(),
  at: instant('at').notNull().defaultNow(),
});
