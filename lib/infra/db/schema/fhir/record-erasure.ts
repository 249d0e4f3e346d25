import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, textC } from '../../columns.ts';

/** How far an erasure has come, and what it found. Counts are by type. */
export type ErasureProgress = {
  stage: 'current' | 'deleted' | 'beside' | 'binaries';
  /** The last resource that was looked at: type number and id. */
  after: [type: number, id: string];
  pass: number;
  /** Erased in this pass: then another is to look whether more came meanwhile. */
  found: number;
  /** Ids of Binaries that erased versions name. */
  binaries: string[];
};
export type ErasureCounts = {
  /** Resources in the patient's compartment when it was asked for. */
  total: number;
  erased: Record<string, number>;
  kept: Record<string, number>;
  versions: number;
};

/** The record of a patient is erased for good: asked for once, done step by step. Says how much, and nothing of what. */
export const recordErasure = pgTable(
  'record_erasure',
  {
    projectId: uuid('project_id').notNull(),
    id: uuid('id').notNull(),
    patientId: textC('patient_id').notNull(),
    state: text('state', { enum: ['queued', 'running', 'done'] })
      .notNull()
      .default('queued'),
    reason: text('reason').notNull(),
    askedBy: text('asked_by').notNull(),
    askedByDisplay: text('asked_by_display'),
    requestId: text('request_id').notNull(),
    remoteAddress: text('remote_address').notNull(),
    progress: jsonb('progress').$type<ErasureProgress>().notNull(),
    counts: jsonb('counts').$type<ErasureCounts>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.id] }),
    index('record_erasure_time').on(t.projectId, t.createdAt.desc()),
  ],
);

export type RecordErasureRow = typeof recordErasure.$inferSelect;
