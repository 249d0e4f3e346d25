import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { isPassing } from '#lib/infra/db/errors.ts';
import { type HandedOver, handOver, onHandOverLost } from '#lib/infra/db/single/hand-over.ts';
import { openJournal } from '#lib/infra/journal/journal.ts';
import { sealSoon } from '../../audit/seal-soon.ts';
import { INSERT_RUNS, type RunRecord, toRunRow, withoutTexts } from './run-row.ts';
import { createWaitingRows, toLine, toRow, type WaitingRow } from './waiting-rows.ts';

const BATCH = { rows: 500, characters: 4 * 1024 * 1024 };
/** While the database is away. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

const waiting = createWaitingRows(MOST_CHARACTERS);
/** Of the projects whose rows wait. */
const taken = new Map<string, PromiseWithResolvers<void>>();
const underWay = new Set<Promise<void>>();
let again: NodeJS.Timeout | undefined;
/** What is answered before PostgreSQL has it. */
const journal = openJournal();
let soon: NodeJS.Timeout | undefined;
/** Whether what waits goes now. */
let isDue = false;
let sentAt = 0;

/** So long at most a record waits for others to go with it, whose run was answered already. */
const GATHER_MS = 20;
/** Batches that who looks waits for. */
const MOST_TURNS = 20;

/** PostgreSQL writes what it was not asked to wait for within three times its wal_writer_delay of 200 ms. */
const WRITTEN_MS = 2000;
/** Committed, and perhaps not on the disk yet: as bytes, which the collector of garbage neither looks at nor moves. */
let recent: { lines: Buffer; at: number }[] = [];
let forgetting: NodeJS.Timeout | undefined;

onHandOverLost(() => {
  forgetWritten();
  const rows = recent.flatMap(({ lines }) => lines.toString().split('\n').map(toRow));
  recent = [];
  if (rows.length > 0) wait(rows, new Error('The connection was lost'));
});

type Options = {
  /** These names are of patients who are being erased: what tells of one is recorded without what was said. */
  erased?: readonly string[];
  /** Whoever asked for the run is answered as soon as its record outlives this process. */
  isAnsweredFirst?: boolean;
};

/**
 * The log of a run. Resolves when PostgreSQL has it, or the memory of the machine (lib/infra/journal), so that a process that is killed after its answer loses no record; that
 * it is committed is not waited for. What comes of a project while PostgreSQL is busy, or within a moment, goes together: a slow disk makes batches larger. While the
 * database is away, rows wait here and nobody for them. No row is lost because of another: a batch that PostgreSQL refuses goes in row by row.
 */
export function recordRun(record: RunRecord, { erased = [], isAnsweredFirst = false }: Options = {}): Promise<void> {
  const whole = toRunRow(record);
  const row = erased.some((name) => whole.json.includes(name)) ? withoutTexts(whole) : whole;
  const isKept = (isAnsweredFirst || again !== undefined) && keep(row);
  add(row);
  if (again) return Promise.resolve();
  const handedOver = taken.get(row.projectId) ?? Promise.withResolvers();
  taken.set(row.projectId, handedOver);
  if (isKept) {
    sendSoon();
    return Promise.resolve();
  }
  sendNow();
  return handedOver.promise;
}

/** Rows of another process, to be written now; false where they wait for a database that is away. */
export async function takeUp(rows: WaitingRow[]): Promise<boolean> {
  for (const row of rows) add(row);
  await flushRuns();
  return again === undefined;
}

/** Resolves when what was recorded of the project so far is in the database: for who looks there. At once while that is away. */
export async function settleRuns(projectId: string): Promise<void> {
  const handedOver = taken.get(projectId)?.promise;
  if (handedOver) sendNow();
  await handedOver;
  await Promise.all(underWay);
  // What was put back, or is another process's, is nobody's to wait for otherwise.
  for (let turn = 0; turn < MOST_TURNS && !again && waiting.has(projectId); turn += 1) {
    sendNow();
    await Promise.all(underWay);
  }
}

/** Resolves when everything recorded so far is in the database, or waits until that is back. */
export async function flushRuns(): Promise<void> {
  sendNow();
  while (underWay.size > 0) await Promise.all(underWay);
}

/** Those that come one by one go one by one, and are seen at once; of many, what came within a moment. */
function sendSoon(): void {
  if (underWay.size === 0 && performance.now() - sentAt > GATHER_MS) sendNow();
  else soon ??= setTimeout(sendNow, GATHER_MS).unref();
}

function sendNow(): void {
  clearTimeout(soon);
  soon = undefined;
  isDue = true;
  send();
}

function send(): void {
  while (isDue && !again && underWay.size === 0 && !waiting.isEmpty()) {
    sentAt = performance.now();
    const rows = waiting.take(BATCH.rows, BATCH.characters);
    const { sent, done } = insert(rows);
    const projectId = rows[0]!.projectId;
    if (!waiting.has(projectId)) {
      void sent.then(taker(projectId));
    }
    const batch = done
      .then(() => settle(rows))
      .catch((error) => (isPassing(error) ? wait(rows, error) : writeEach(rows)))
      .finally(() => {
        underWay.delete(batch);
        send();
      });
    underWay.add(batch);
  }
  if (waiting.isEmpty()) isDue = false;
}

async function writeEach(rows: WaitingRow[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    try {
      const done = insert([row]).done;
      await done
        .catch((error) => {
          if (isPassing(error)) throw error;
          return insert([withoutTexts(row)]).done;
        })
        .then(() => settle([row]));
    } catch (error) {
      if (isPassing(error)) return wait(rows.slice(index), error);
      log.error({ err: error }, 'a bot run was not recorded');
      letGo(row);
    }
  }
}

function settle(rows: WaitingRow[]): void {
  for (const row of rows) {
    if (row.audit) sealSoon(row.projectId, row.audit.id);
    letGo(row);
  }
  forgetWritten();
  recent.push({ lines: Buffer.from(rows.map(toLine).join('\n')), at: performance.now() });
  forgetting ??= setTimeout(forgetWritten, WRITTEN_MS + 1).unref();
}

/** What the disk has by now. */
function forgetWritten(): void {
  clearTimeout(forgetting);
  forgetting = undefined;
  const since = performance.now() - WRITTEN_MS;
  while (recent[0] && recent[0].at < since) recent.shift();
  if (recent.length > 0) forgetting = setTimeout(forgetWritten, WRITTEN_MS + 1).unref();
}

function wait(rows: WaitingRow[], error: unknown): void {
  log.warn({ err: error, rows: rows.length }, 'bot runs wait to be recorded');
  waiting.putBack(rows);
  // Who waits for them is answered now.
  for (const row of waiting.all()) if (!row.release) keep(row);
  for (const { resolve } of taken.values()) resolve();
  taken.clear();
  again ??= setTimeout(retry, pace.recordAgainMs).unref();
}

function retry(): void {
  again = undefined;
  sendNow();
}

function add(row: WaitingRow): void {
  const dropped = waiting.add(row);
  if (dropped.length === 0) return;
  log.error({ rows: dropped.length }, 'too many bot runs wait to be recorded: some were dropped');
  for (const each of dropped) letGo(each);
  for (const projectId of taken.keys()) if (!waiting.has(projectId)) taker(projectId)();
}

/** False where it cannot be kept. */
function keep(row: WaitingRow): boolean {
  row.release = journal.keep(toLine(row));
  return row.release !== undefined;
}

function letGo(row: WaitingRow): void {
  row.release?.();
  row.release = undefined;
}

/** Tells those who wait that the rows of the project are no longer here; whoever comes later waits for the next ones. */
function taker(projectId: string): () => void {
  const handedOver = taken.get(projectId);
  taken.delete(projectId);
  return () => handedOver?.resolve();
}

/** Of one project. */
function insert(rows: WaitingRow[]): HandedOver {
  const audited = rows.flatMap(({ audit }) => audit?.json ?? []);
  return handOver(INSERT_RUNS, [rows[0]!.projectId, `[${rows.map(({ json }) => json).join()}]`, `[${audited.join()}]`]);
}
