import { notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import type { BulkImportFileRow, BulkImportRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { hasAll } from '../access/has-all.ts';
import { throttle } from '../limits/throttle.ts';
import { addressOf, findImport, listFiles, listRefusals, MOST_REFUSALS } from './import-rows.ts';

export type ImportState = { progress: string } | { manifest: object; expiresAt: Date };

const OFTEN = { limit: 600, windowSeconds: 60, refusal: 'Ask how an import stands once a second, or less often' };

/** How an import stands: of each file what was taken, and where to read why lines were refused. Throws 404 for what is not the caller's to know. */
export async function readImport(ctx: Ctx, id: string): Promise<ImportState> {
  const row = await requireVisibleImport(ctx, id);
  await throttle(`bulk-status:${id}`, OFTEN.limit, OFTEN);
  const files = await listFiles(row);
  if (!row.done) return { progress: progressOf(files) };
  const output = files.map((file) => ({ type: file.type, inputUrl: addressOf(file), count: file.taken }));
  const error = files
    .filter(({ refused }) => refused > 0)
    .map((file) => ({
      ...{ type: 'OperationOutcome', inputUrl: addressOf(file), count: file.refused },
      url: `${fhirBase()}/import/${id}/${file.number}`,
    }));
  const transactionTime = row.createdAt.toISOString();
  const manifest = { transactionTime, request: `${fhirBase()}/$import`, requiresAccessToken: true, output, error };
  return { manifest, expiresAt: row.expiresAt };
}

/** Why lines of a file were refused, as lines of NDJSON; the last says how many are not among them, if any. Throws 404. */
export async function readRefusals(ctx: Ctx, id: string, number: string): Promise<string> {
  const row = await requireVisibleImport(ctx, id);
  const file = (await listFiles(row)).find((each) => String(each.number) === number);
  if (!file) throw notFound();
  const outcomes = await listRefusals(row, file.number);
  const more = file.refused - outcomes.length;
  if (more > 0) outcomes.push(JSON.stringify(cut(more)));
  return outcomes.map((outcome) => `${outcome}\n`).join('');
}

/** The author's own, and every administrator's whom no policy limits: who began it may be gone. */
export async function requireVisibleImport(ctx: Ctx, id: string): Promise<BulkImportRow> {
  const actor = requireActor(ctx);
  const { projectId, membershipId, admin } = actor;
  const row = await findImport(projectId, id);
  const isOwn = row?.membershipId === membershipId && !actor.caller;
  if (!row || !(isOwn || (admin && hasAll(actor)))) throw notFound();
  return row;
}

function progressOf(files: readonly BulkImportFileRow[]): string {
  const done = files.filter((file) => file.done).length;
  const lines = files.reduce((sum, { line }) => sum + line, 0);
  return `${done} of ${files.length} files, ${lines} lines`;
}

function cut(more: number): object {
  const text = `${more} further lines were refused; the first ${MOST_REFUSALS} are told`;
  const issue = [{ severity: 'information', code: 'informational', details: { text } }];
  return { resourceType: 'OperationOutcome', issue };
}
