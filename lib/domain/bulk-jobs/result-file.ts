import { and, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { toCsv } from '#lib/protocol/to-csv.ts';
import type { Ctx } from '../access/context.ts';
import { lastRows } from './cancel-bulk-job.ts';
import { readBulkJob } from './read-bulk-job.ts';

const HEADER = ['row', 'who', 'outcome', 'membership', 'field', 'message'];

/** What became of each row so far, as CSV, and of a stopped job for good; rows count from 1, as a spreadsheet shows them. Throws 404. */
export async function bulkJobResult(ctx: Ctx, projectId: string, jobId: string): Promise<string> {
  const { state } = await readBulkJob(ctx, projectId, jobId);
  // Somebody else may have stopped it this moment.
  if (state === 'cancelled') await lastRows(jobId);
  const rows = await db()
    .select()
    .from(bulkJobRow)
    .where(and(eq(bulkJobRow.projectId, projectId), eq(bulkJobRow.jobId, jobId)))
    .orderBy(bulkJobRow.number);
  const undone = state === 'cancelled' ? 'cancelled' : 'waiting';
  return toCsv(
    HEADER,
    rows.map((row) => [
      row.number + 1,
      row.who,
      row.state === 'done' ? row.outcome : row.state === 'failed' ? 'failed' : undone,
      row.membershipId,
      row.field,
      row.message,
    ]),
  );
}
