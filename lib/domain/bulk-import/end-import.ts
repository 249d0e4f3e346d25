import { type Queryable, transaction } from '#lib/infra/db/client.ts';
import type { BulkImportFileRow, BulkImportRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { dropProgress } from '#lib/infra/db/upkeep.ts';
import { toOutcomeIssues } from '#lib/protocol/fhir/outcome.ts';
import { write } from '../audit/write.ts';
import { endRow, keepRefusals, listFiles, lockFile, saveFile } from './import-rows.ts';
import { KEPT_MS } from './start-import.ts';
import { workOf } from './work-of.ts';

/** A file that is not read to its end, and why: it counts as a refusal. */
export function endFile(file: BulkImportFileRow, why: string): Promise<void> {
  return transaction((tx) => giveUp(tx, file, why));
}

async function giveUp(tx: Queryable, file: BulkImportFileRow, why: string): Promise<void> {
  const stands = await lockFile(tx, file);
  if (!stands || stands.done) return;
  const text = stands.line === 0 ? why : `After line ${stands.line}: ${why}`;
  const issue = toOutcomeIssues([{ text }], 'incomplete');
  await keepRefusals(tx, stands, [{ line: 0, outcome: { resourceType: 'OperationOutcome', id: 'file', issue } }], 0);
  await saveFile(tx, stands, { done: true, refused: stands.refused + 1 });
}

/** All files are read, or, with `why`, those that are left are not read any more. */
export async function endImport(row: BulkImportRow, why?: string): Promise<void> {
  const { projectId, id, requestId, remoteAddress } = row;
  await write({ requestId, remoteAddress, userAgent: '' }, async (w) => {
    const open = why === undefined ? [] : (await listFiles(row, w.tx)).filter(({ done }) => !done);
    for (const file of open) await giveUp(w.tx, file, why!);
    await dropProgress(workOf(row), w.tx);
    w.unchanged();
    if (!(await endRow(w.tx, row, new Date(Date.now() + KEPT_MS)))) return;
    const files = await listFiles(row, w.tx);
    const sum = (name: 'taken' | 'refused') => files.reduce((all, file) => all + file[name], 0);
    const after = { taken: sum('taken'), refused: sum('refused'), ...(why !== undefined && { stopped: why }) };
    w.audit({ projectId, action: 'import.end', target: `Import/${id}`, after });
  });
}
