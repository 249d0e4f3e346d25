import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { isPassing } from '#lib/infra/db/errors.ts';
import { type HandedOver, handOver, onHandOverLost } from '#lib/infra/db/single/hand-over.ts';
import { sealSoon } from '../../audit/seal-soon.ts';
import { INSERT_RUNS, type RunRecord, toRunRow, withoutTexts } from './run-row.ts';
import { createWaitingRows, type WaitingRow } from './waiting-rows.ts';

const BATCH = { rows: 500, characters: 4 * 1024 * 1024 };
/** While the database is away. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

const waiting = createWaitingRows(MOST_CHARACTERS);
/** Of the projects whose rows wait. */
const taken = new Map<string, PromiseWithResolvers<void>>();
const underWay = new Set<Promise<void>>();
let again: NodeJS.Timeout | undefined;

/** PostgreSQL writes what it was not asked to wait for within three times its wal_writer_delay of 200 ms. */
const WRITTEN_MS = 2000;
/** Committed, and perhaps not on the disk yet. */
let recent: { rows: WaitingRow[]; at: number }[] = [];

onHandOverLost(() => {
  const rows = recent.flatMap((batch) => batch.rows);
  recent = [];
  if (rows.length > 0) wait(rows, new Error('The connection was lost'));
});

/**
 * The log of a run. Resolves when PostgreSQL has it, so that a process that is killed after its answer loses no record; that it is committed
 * is not waited for. What comes of a project while PostgreSQL is busy with others goes together: a slow disk makes batches larger. While the database is
 * away, rows wait here and nobody for them. No row is lost because of another: a batch that PostgreSQL refuses goes in row by row. `erased`: whoever names one of
 * these is recorded without what was said.
 */
export function recordRun(record: RunRecord, erased: readonly string[] = []): Promise<void> {
  const whole = toRunRow(record);
  const row = erased.some((name) => whole.json.includes(name)) ? withoutTexts(whole) : whole;
  if (!waiting.add(row)) {
    log.error('too many bot runs wait to be recorded: one was dropped');
    for (const projectId of taken.keys()) if (!waiting.has(projectId)) taker(projectId)();
  }
  if (again) return Promise.resolve();
  const soon = taken.get(row.projectId) ?? Promise.withResolvers();
  taken.set(row.projectId, soon);
  send();
  return soon.promise;
}

/** Resolves when everything recorded so far is in the database, or waits until that is back. */
export async function flushRuns(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

function send(): void {
  while (!again && underWay.size === 0 && !waiting.isEmpty()) {
    const rows = waiting.take(BATCH.rows, BATCH.characters);
    const { sent, done } = insert(rows);
    const projectId = rows[0]!.projectId;
    if (!waiting.has(projectId)) {
      void sent.then(taker(projectId));
    }
    const batch = done
      .then(() => keep(rows))
      .catch((error) => (isPassing(error) ? wait(rows, error) : writeEach(rows)))
      .finally(() => {
        underWay.delete(batch);
        send();
      });
    underWay.add(batch);
  }
}

async function writeEach(rows: WaitingRow[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    try {
      const done = insert([row]).done;
      await done
        .then(() => keep([row]))
        .catch((error) => {
          if (isPassing(error)) throw error;
          return insert([withoutTexts(row)]).done;
        });
    } catch (error) {
      if (isPassing(error)) return wait(rows.slice(index), error);
      log.error({ err: error }, 'a bot run was not recorded');
    }
  }
}

function keep(rows: WaitingRow[]): void {
  for (const { projectId, audit } of rows) if (audit) sealSoon(projectId, audit.id);
  const at = performance.now();
  while (recent[0] && recent[0].at < at - WRITTEN_MS) recent.shift();
  recent.push({ rows, at });
}

function wait(rows: WaitingRow[], error: unknown): void {
  log.warn({ err: error, rows: rows.length }, 'bot runs wait to be recorded');
  waiting.putBack(rows);
  for (const { resolve } of taken.values()) resolve();
  taken.clear();
  again ??= setTimeout(retry, pace.recordAgainMs).unref();
}

function retry(): void {
  again = undefined;
  send();
}

/** Tells those who wait that the rows of the project are no longer here; whoever comes later waits for the next ones. */
function taker(projectId: string): () => void {
  const soon = taken.get(projectId);
  taken.delete(projectId);
  return () => soon?.resolve();
}

/** Of one project. */
function insert(rows: WaitingRow[]): HandedOver {
  const audited = rows.flatMap(({ audit }) => audit?.json ?? []);
  return handOver(INSERT_RUNS, [rows[0]!.projectId, `[${rows.map(({ json }) => json).join()}]`, `[${audited.join()}]`]);
}
