import { newId } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { Actor, Ctx } from '../access/context.ts';

export type RunRecord = {
  ctx: Ctx;
  botId: string;
  version: number;
  caller: Actor;
  startedAt: Date;
  trigger: 'http' | 'webhook';
  result: RunResult;
};

const FLUSH_MS = 50;
const BATCH = 500;
/** Past this many unwritten rows the database is down: the oldest are dropped rather than memory. */
const MOST_WAITING = 20_000;

let waiting: Record<string, unknown>[] = [];
let flushing: Promise<void> | undefined;

/** The log of a run. Written in batches a moment later, so that a run does not wait for its own record. */
export function recordRun(record: RunRecord): void {
  if (waiting.length >= MOST_WAITING) waiting.shift();
  waiting.push(toRow(record));
  flushing ??= flushSoon();
}

/** Resolves when everything recorded so far is in the database. */
export async function flushRuns(): Promise<void> {
  while (flushing) await flushing;
}

async function flushSoon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
  try {
    while (waiting.length > 0) {
      const rows = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      await runText(db(), INSERT, [JSON.stringify(rows)]);
    }
  } catch (error) {
    log.error({ err: error }, 'bot runs were not recorded');
  } finally {
    flushing = undefined;
  }
}

const COLUMNS =
  'project_id, id, bot_id, version, requester, trigger, status, started_at, duration_ms, message, logs, request_id';
/** One prepared statement for any number of rows: each text that differs would be another one, on every connection. */
const INSERT = `insert into bot_run (${COLUMNS}) select ${COLUMNS} from jsonb_populate_recordset(null::bot_run, $1::text::jsonb)`;

/** By the names of the columns. */
function toRow({ ctx, botId, version, caller, startedAt, trigger, result }: RunRecord): Record<string, unknown> {
  return {
    project_id: caller.projectId,
    id: newId(),
    bot_id: botId,
    version,
    requester: caller.profile,
    trigger,
    status: statusOf(result),
    started_at: startedAt,
    duration_ms: Math.round(result.durationMs),
    message: result.ok ? null : storable(result.stack ?? result.message),
    logs: result.logs.length > 0 ? result.logs.map(({ level, text }) => ({ level, text: storable(text) })) : null,
    request_id: ctx.requestId,
  };
}

function statusOf(result: RunResult): 'ok' | 'failed' | 'timeout' | 'out-of-memory' {
  if (result.ok) return 'ok';
  return result.reason === 'timeout' || result.reason === 'out-of-memory' ? result.reason : 'failed';
}

/** PostgreSQL text holds no NUL, and jsonb no lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed();
}
