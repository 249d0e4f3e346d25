import { and, desc, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type RecordErasureRow, recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import type { RecordErasure, RecordErasures } from '#lib/protocol/record-erasure/answers.ts';
import type { Ctx } from '../access/context.ts';
import { requireEraser } from './require-eraser.ts';

const MOST_LISTED = 20;

/** The newest twenty, whoever asked for them. */
export async function listErasures(ctx: Ctx, projectId: string): Promise<RecordErasures> {
  requireEraser(ctx, projectId);
  const rows = await db()
    .select()
    .from(recordErasure)
    .where(eq(recordErasure.projectId, projectId))
    .orderBy(desc(recordErasure.createdAt))
    .limit(MOST_LISTED);
  return { rows: rows.map(toErasure) };
}

export async function readErasure(ctx: Ctx, projectId: string, id: string): Promise<RecordErasure> {
  requireEraser(ctx, projectId);
  const [row] = isUuid(id)
    ? await db()
        .select()
        .from(recordErasure)
        .where(and(eq(recordErasure.projectId, projectId), eq(recordErasure.id, id)))
    : [];
  if (!row) throw notFound();
  return toErasure(row);
}

export function toErasure(row: RecordErasureRow): RecordErasure {
  const { id, patientId, state, reason, counts, createdAt, startedAt, finishedAt } = row;
  return {
    ...{ id, patient: `Patient/${patientId}`, state, reason, ...counts },
    createdAt: createdAt.toISOString(),
    startedAt: startedAt?.toISOString() ?? null,
    finishedAt: finishedAt?.toISOString() ?? null,
    startedBy: { reference: row.askedBy, display: row.askedByDisplay },
  };
}
