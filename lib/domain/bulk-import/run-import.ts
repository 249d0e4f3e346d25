import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import type { BulkImportFileRow, BulkImportRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { dropProgress } from '#lib/infra/db/upkeep.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { authorOf } from '../sessions/author-of.ts';
import { endFile, endImport } from './end-import.ts';
import { findImport, findNextFile, saveFile } from './import-rows.ts';
import { openSource } from './open-source.ts';
import { readBatches } from './read-batches.ts';
import { SourceFault } from './source-fault.ts';
import { RUNS_MS } from './start-import.ts';
import { mostTogether, Overtaken, takeBatch } from './take-batch.ts';
import { workOf } from './work-of.ts';

/** Failures of a source one after the other, without a line between them, after which its file is given up. */
const MOST_TRIES = 6;
const MOST_REST_MS = 5 * 60_000;

/** Why all of it is not gone on with. */
class Stopped extends Error {}

type Which = Pick<BulkImportRow, 'projectId' | 'id'>;

/**
 * Goes on with an import where it was left: its files one after the other, until all are read, a source has to be tried again later, or `signal` aborts; what
 * came until then is stored. Throws what the database throws when it fails: then it is to be run again.
 */
export async function runImport(which: Which, signal: AbortSignal): Promise<void> {
  for (;;) {
    const row = await findImport(which.projectId, which.id);
    if (!row || row.done) return dropProgress(workOf(which));
    const file = await findNextFile(row);
    if (!file) return endImport(row);
    if (signal.aborted || (file.retryAt && file.retryAt.getTime() > Date.now())) return;
    try {
      if (!(await runFile(row, file, signal))) return;
    } catch (error) {
      if (error instanceof Overtaken) return;
      if (!(error instanceof Stopped)) throw error;
      return endImport(row, error.message);
    }
  }
}

/** Whether there is something to do at once. */
async function runFile(row: BulkImportRow, file: BulkImportFileRow, signal: AbortSignal): Promise<boolean> {
  let stands = file;
  // With whoever leaves it here its connection goes.
  const leaving = new AbortController();
  try {
    await requireAuthor(row);
    // A source that drips is left, too, when the day is over.
    const day = AbortSignal.timeout(Math.max(0, endOf(row) - Date.now()));
    const source = await openSource(file, AbortSignal.any([signal, leaving.signal, day]));
    const { etag, packed } = source;
    stands = { ...file, etag, packed };
    await saveFile(db(), file, { etag, packed });
    for await (const batch of readBatches(source, file, mostTogether(file.type))) {
      stands = await takeBatch(ctxOf(row, await requireAuthor(row)), stands, batch);
      if (signal.aborted) return false;
    }
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    if (signal.aborted) return false;
    return giveUpOrWait(stands, error);
  } finally {
    leaving.abort();
  }
  await saveFile(db(), stands, { done: true });
  return true;
}

/** With the rights of whoever began it as they are now, looked at before each batch. */
async function requireAuthor(row: BulkImportRow): Promise<Actor> {
  if (Date.now() >= endOf(row)) throw new Stopped('The import took longer than a day');
  const actor = await authorOf(row).catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'not-found' ? notAnyMore() : error;
  });
  if (!actor.admin) throw notAnyMore();
  return actor;
}

function endOf({ createdAt }: BulkImportRow): number {
  return createdAt.getTime() + RUNS_MS;
}

function notAnyMore(): Stopped {
  return new Stopped('Who began this import may do so no longer');
}

function ctxOf({ requestId, remoteAddress }: BulkImportRow, actor?: Actor): Ctx {
  return { requestId, remoteAddress, userAgent: '', ...(actor && { actor }) };
}

/** Whether the next file comes at once: this one is given up. */
async function giveUpOrWait(file: BulkImportFileRow, fault: SourceFault): Promise<boolean> {
  const tries = file.tries + 1;
  log.info({ importId: file.importId, file: file.number, tries, isPassing: fault.isPassing }, 'a source failed');
  if (!fault.isPassing || tries >= MOST_TRIES) {
    await endFile(file, fault.message);
    return true;
  }
  const restMs = Math.min(MOST_REST_MS, pace.importRetryMs * 2 ** (tries - 1));
  await saveFile(db(), file, { tries, retryAt: new Date(Date.now() + restMs) });
  return false;
}
