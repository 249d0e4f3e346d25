import { newId } from '#lib/base/ids.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { addHours } from './hours.ts';
import { outcomeStatus } from './outcome-status.ts';
import type { Trigger } from './trigger.ts';
import type { WaitingRow } from './waiting-rows.ts';

export type RunRecord = {
  ctx: Ctx;
  botId: string;
  /** Null where nothing of it was begun. */
  version: number | null;
  caller: Actor;
  startedAt: Date;
  trigger: Trigger;
  result: RunResult;
  /** That of the attempt at an event, which is on record once. */
  id?: string;
};

const COLUMNS = 'id, bot_id, version, requester, trigger, status, started_at, duration_ms, message, logs, request_id';
/**
 * One prepared statement for any number of rows of a project, $1: each text that differs would be another one, on every connection. It also counts
 * them by hour: no run is on record without being counted.
 * A batch whose connection was lost is sent again, and may have been committed. The disk is not waited for: record-run.ts sends again what it may not have.
 * On a node of a cluster it is: that falls by itself, and nobody here would hear of it.
 */
export const INSERT_RUNS = `
  with run as (
    insert into bot_run (project_id, ${COLUMNS}) select $1::uuid, ${COLUMNS}
    from (select set_config('synchronous_commit', case when to_regproc('do_at_node') is null then 'off' else 'on' end, true)) as late, jsonb_populate_recordset(null::bot_run, $2::text::jsonb)
    on conflict do nothing
    returning project_id, bot_id, started_at, status, duration_ms)
  ${addHours('run')}`;

/** A run as its row, by the names of the columns. */
export function toRunRow({ ctx, botId, version, caller, startedAt, trigger, result, id }: RunRecord): WaitingRow {
  const { projectId, profile } = caller;
  const row = {
    project_id: projectId,
    id: (isCarriedOut(result) && id) || newId(),
    bot_id: botId,
    version,
    requester: profile,
    trigger,
    status: statusOf(result),
    started_at: startedAt,
    duration_ms: Math.round(result.durationMs),
    message: failureText(result),
    logs: result.logs.length > 0 ? result.logs : null,
    request_id: ctx.requestId,
  };
  return { projectId, json: toStorableJson(row) };
}

/** Whether it ended by itself: one that was cut off may be run again. */
export function isCarriedOut(result: RunResult): boolean {
  return result.ok || (result.reason !== 'crashed' && result.reason !== 'cancelled');
}

/** Why it failed, with the bot's stack where there is one; null when it went well. */
export function failureText(result: RunResult): string | null {
  return result.ok ? failureOf(result) : (result.stack ?? result.message);
}

/** The same row without what the bot wrote, for when PostgreSQL does not take it. */
export function withoutTexts({ projectId, json }: WaitingRow): WaitingRow {
  const row = JSON.parse(json);
  return {
    projectId,
    json: JSON.stringify({ ...row, message: row.message && 'This text could not be kept', logs: null }),
  };
}

function statusOf(result: RunResult): 'ok' | 'failed' | 'timeout' | 'out-of-memory' {
  if (result.ok) return failureOf(result) ? 'failed' : 'ok';
  return result.reason === 'timeout' || result.reason === 'out-of-memory' ? result.reason : 'failed';
}

/** What a bot says of its failure by an OperationOutcome that it returns (contract §2.6); null when it is none. */
function failureOf({ value }: Extract<RunResult, { ok: true }>): string | null {
  if (value.kind !== 'outcome') return null;
  const outcome = JSON.parse(value.text) as OperationOutcome;
  if (outcomeStatus(outcome) < 400) return null;
  const [issue] = outcome.issue;
  return issue?.details?.text ?? issue?.diagnostics ?? 'The bot returned an OperationOutcome that is none of success';
}

/** PostgreSQL text holds no NUL, and jsonb no lone surrogates: in JSON both are escapes, wherever they stand. */
function toStorableJson(row: object): string {
  const json = JSON.stringify(row);
  return /\\u(?:0000|d[89a-f])/.test(json) ? JSON.stringify(row, storable) : json;
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value;
}
