import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { isPassing } from '#lib/infra/db/errors.ts';
import { INSERT_RUNS, type RunRecord, toRunRow, withoutTexts } from './run-row.ts';
import { createWaitingRows, type WaitingRow } from './waiting-rows.ts';

const FLUSH_MS = 50;
const BATCH = { rows: 500, characters: 4 * 1024 * 1024 };
/** While the database is away. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

const waiting = createWaitingRows(MOST_CHARACTERS);
let flushing: Promise<void> | undefined;
let again: NodeJS.Timeout | undefined;

/**
 * The log of a run. Written in batches a moment later, so that a run does not wait for its own record. No row is lost because of another:
 * a batch that PostgreSQL refuses goes in row by row; while it cannot be asked, rows wait.
 */
export function recordRun(record: RunRecord): void {
  if (!waiting.add(toRunRow(record))) log.error('too many bot runs wait to be recorded: one was dropped');
  if (!again) flushing ??= flush(FLUSH_MS);
}

/** Resolves when everything recorded so far is in the database, or waits until that is back. */
export async function flushRuns(): Promise<void> {
  while (flushing) await flushing;
}

async function flush(afterMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  while (!waiting.isEmpty()) {
    if (await write(waiting.take(BATCH.rows, BATCH.characters))) continue;
    again = setTimeout(retry, pace.recordAgainMs).unref();
    break;
  }
  flushing = undefined;
}

function retry(): void {
  again = undefined;
  flushing ??= flush(0);
}

/** False when the rows have to wait. */
async function write(rows: WaitingRow[]): Promise<boolean> {
  try {
    await insert(rows);
    return true;
  } catch (error) {
    if (isPassing(error)) return wait(rows, error);
    return writeEach(rows);
  }
}

async function writeEach(rows: WaitingRow[]): Promise<boolean> {
  for (const [index, row] of rows.entries()) {
    try {
      await insert([row]).catch((error) => {
        if (isPassing(error)) throw error;
        return insert([withoutTexts(row)]);
      });
    } catch (error) {
      if (isPassing(error)) return wait(rows.slice(index), error);
      log.error({ err: error }, 'a bot run was not recorded');
    }
  }
  return true;
}

function wait(rows: WaitingRow[], error: unknown): false {
  log.warn({ err: error, rows: rows.length }, 'bot runs wait to be recorded');
  waiting.putBack(rows);
  return false;
}

function insert(rows: WaitingRow[]): Promise<unknown> {
  return runText(db(), INSERT_RUNS, [`[${rows.map(({ json }) => json).join()}]`]);
}
