import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { isPassing } from '#lib/infra/db/errors.ts';
import { type HandedOver, handOver, onHandOverLost } from '#lib/infra/db/single/hand-over.ts';
import { findLeft, openJournal } from '#lib/infra/journal/journal.ts';
import { sealSoon } from '../../audit/seal-soon.ts';
import { erasedSince, LONGEST_MS } from './erased-since.ts';
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
/** What is answered before PostgreSQL has it. */
const journal = openJournal();
let soon: NodeJS.Timeout | undefined;
/** Whether what waits goes now. */
let isDue = false;
let sentAt = 0;

/** So long at most a record waits for others to go with it, whose run was answered already. */
const GATHER_MS = 20;

/** PostgreSQL writes what it was not asked to wait for within three times its wal_writer_delay of 200 ms. */
const WRITTEN_MS = 2000;
/** Committed, and perhaps not on the disk yet: as bytes, which the collector of garbage neither looks at nor moves. */
let recent: { lines: Buffer; at: number }[] = [];

onHandOverLost(() => {
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
  const row = without(erased, toRunRow(record));
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

/** What processes of this machine had answered when they were killed, and not recorded yet. */
export async function recordLeft(): Promise<void> {
  for (const { lines, forget } of findLeft()) {
    for (const row of lines.map(toRow)) {
      const startedAt = new Date(JSON.parse(row.json).started_at);
      // Of whom nobody knows any more whether they were erased meanwhile.
      const isOld = startedAt.getTime() < Date.now() - LONGEST_MS;
      add(isOld ? withoutTexts(row) : without(await erasedSince(row.projectId, startedAt), row));
    }
    await flushRuns();
    // Otherwise the next who begins has it.
    if (!again) forget();
  }
}

/** Resolves when what was recorded of the project so far is in the database: for who looks there. At once while that is away. */
export async function settleRuns(projectId: string): Promise<void> {
  const handedOver = taken.get(projectId)?.promise;
  if (handedOver) sendNow();
  await handedOver;
  await Promise.all(underWay);
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
  const at = performance.now();
  while (recent[0] && recent[0].at < at - WRITTEN_MS) recent.shift();
  recent.push({ lines: Buffer.from(rows.map(toLine).join('\n')), at });
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
  sendNow();
}

function add(row: WaitingRow): void {
  const dropped = waiting.add(row);
  if (dropped.length === 0) return;
  log.error({ rows: dropped.length }, 'too many bot runs wait to be recorded: some were dropped');
  for (const each of dropped) letGo(each);
  for (const projectId of taken.keys()) if (!waiting.has(projectId)) taker(projectId)();
}

function without(erased: readonly string[], row: WaitingRow): WaitingRow {
  return erased.some((name) => row.json.includes(name)) ? withoutTexts(row) : row;
}

/** False where it cannot be kept. */
function keep(row: WaitingRow): boolean {
  row.release = journal.keep(toLine(row));
  return row.release !== undefined;
}

/** JSON has no tabs and ends of lines but as escapes. */
function toLine({ projectId, json, audit }: WaitingRow): string {
  return [projectId, json, ...(audit ? [audit.id, audit.json] : [])].join('\t');
}

function letGo(row: WaitingRow): void {
  row.release?.();
  row.release = undefined;
}

function toRow(line: string): WaitingRow {
  const [projectId = '', json = '', id, audit] = line.split('\t');
  return { projectId, json, ...(id && audit && { audit: { id, json: audit } }) };
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
