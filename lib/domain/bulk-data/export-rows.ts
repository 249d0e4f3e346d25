import { and, count, eq, gt, sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type BulkExportRow, bulkExport } from '#lib/infra/db/schema/fhir/bulk-data.ts';

/** One that nobody asks after for so long is not made any more, and takes nobody's place. */
const FORGOTTEN_MS = 10 * 60_000;

/** Undefined for none, and for one whose time is over. */
export async function findExport(projectId: string, id: string): Promise<BulkExportRow | undefined> {
  if (!isUuid(projectId) || !isUuid(id)) return undefined;
  const isIt = and(eq(bulkExport.projectId, projectId), eq(bulkExport.id, id));
  const [row] = await db()
    .select()
    .from(bulkExport)
    .where(and(isIt, gt(bulkExport.expiresAt, new Date())));
  return row;
}

export type Planned = Pick<BulkExportRow, 'types' | 'place' | 'pieces' | 'done'>;

/** Keeps how far planning has come; false where another request was faster. */
export async function keepPlan({ projectId, id, step }: BulkExportRow, planned: Planned): Promise<boolean> {
  // These alone: what is given may be the whole row, and no row is given a project again (server-role/privileges.ts).
  const { types, place, pieces, done } = planned;
  const kept = await db()
    .update(bulkExport)
    .set({ types, place, pieces, done, step: step + 1, lookedAt: new Date() })
    .where(and(eq(bulkExport.projectId, projectId), eq(bulkExport.id, id), eq(bulkExport.step, step)))
    .returning({ step: bulkExport.step });
  return kept.length > 0;
}

/** How many are being made, of the project and of one member. */
export async function countOpen(
  tx: Queryable,
  projectId: string,
  membershipId: string,
): Promise<{ all: number; own: number }> {
  const lately = gt(bulkExport.lookedAt, new Date(Date.now() - FORGOTTEN_MS));
  const [row] = await tx
    .select({
      all: count(),
      own: sql<number>`count(*) filter (where ${eq(bulkExport.membershipId, membershipId)})::int`,
    })
    .from(bulkExport)
    .where(and(eq(bulkExport.projectId, projectId), eq(bulkExport.done, false), lately));
  return row!;
}

/** Those that name a patient whose record is erased. */
export async function forgetExports(tx: Queryable, projectId: string, patientId: string): Promise<void> {
  await tx.execute(sql`
    delete from bulk_export where project_id = ${projectId}::uuid
      and (jsonb_exists(members, ${patientId}) or position(${patientId}::text in request || asked::text) > 0)`);
}

/** The first number of a transaction that has not begun to write yet. */
export async function readHorizon(tx: Queryable): Promise<string> {
  const [row] = await tx.execute<{ horizon: string }>(
    sql`select pg_snapshot_xmax(pg_current_snapshot())::text as horizon`,
  );
  return row!.horizon;
}

/** Whether each that had begun to write before has ended. */
export async function isPast(horizon: string): Promise<boolean> {
  const [row] = await db().execute<{ past: boolean }>(
    sql`select pg_snapshot_xmin(pg_current_snapshot())::text::numeric >= ${horizon}::numeric as past`,
  );
  return row!.past;
}
