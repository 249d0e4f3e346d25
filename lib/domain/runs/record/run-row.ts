import { newId } from '#lib/base/ids.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import { maskFailure } from '#lib/protocol/bots/masking/mask-failure.ts';
import { type Content, maskRun, type RunTexts } from '#lib/protocol/bots/masking/mask-run.ts';
import { MASK } from '#lib/protocol/bots/masking/masked.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import type { Trigger } from '#lib/protocol/bots/triggers.ts';
import { isFhirId } from '#lib/protocol/fhir/references.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, callerOf } from '../../access/context.ts';
import type { BotRequest } from '../bot-request.ts';
import { addHours } from '../hours.ts';
import { fingerprintOf } from './fingerprint-of.ts';
import { eventName, keptHeaders } from './kept-headers.ts';
import { MOST_KEPT, outputOf } from './run-contents.ts';
import { failureOf, statusOf } from './status-of.ts';
import type { WaitingRow } from './waiting-rows.ts';

export type RunRecord = {
  ctx: Ctx;
  botId: string;
  /** Null where nothing of it was begun. */
  version: number | null;
  caller: Actor;
  startedAt: Date;
  trigger: Trigger;
  /** Null where it was given nothing. */
  input: Content | null;
  /** What its event came with. */
  headers?: Record<string, string>;
  /** False where the project keeps nothing of what went in and came out. */
  isKept: boolean;
  traceId: string;
  replay?: BotRequest['replay'];
  /** Under whose rights it ran, where the run is told in the audit log (is-audited.ts). */
  audit?: { runAs: Actor };
  result: RunResult;
  /** That of the attempt at an event, which is on record once. */
  id?: string;
};

/** Why a run failed, as everything tells it that tells of it. */
type Fault = { message: string; fingerprint: string };

/** Characters of an input that are looked at for what is to be masked. */
const MOST_LOOKED_AT = 256 * 1024;

const COLUMNS =
  'id, bot_id, version, requester, trigger, status, started_at, duration_ms, message, logs, request_id, trace_id, replay_of, cpu_us, heap_kb, failure, fingerprint, input_type, input, input_bytes, input_headers, output_type, output, output_bytes, calls';
const AUDIT_COLUMNS =
  'id, action, target, outcome, actor, actor_membership, login_id, on_behalf_of, request_id, remote_address, after';
/**
 * One prepared statement for any number of rows of a project, $1: each text that differs would be another one, on every connection. It also counts
 * them by hour: no run is on record without being counted. $2: the rows; $3: those of the audit log, each of which names its run.
 * A batch whose connection was lost is sent again, and may have been committed. The disk is not waited for: record-run.ts sends again what it may not have.
 * On a node of a cluster it is: that falls by itself, and nobody here would hear of it.
 */
export const INSERT_RUNS = `
  with run as (
    insert into bot_run (project_id, ${COLUMNS}) select $1::uuid, ${COLUMNS}
    from (select set_config('synchronous_commit', case when to_regproc('do_at_node') is null then 'off' else 'on' end, true)) as late, json_populate_recordset(null::bot_run, $2::text::json)
    on conflict do nothing
    returning project_id, id, bot_id, started_at, status, duration_ms, message),
  audited as (
    insert into audit_event (project_id, ${AUDIT_COLUMNS}) select $1::uuid, ${AUDIT_COLUMNS}
    from jsonb_populate_recordset(null::audit_event, $3::text::jsonb)
    where (after ->> 'run')::uuid in (select id from run))
  ${addHours('run')}`;

/**
 * A run as its row, by the names of the columns. Here alone texts are made ready to be stored: what a list shows is masked, what a person must reveal
 * (reveal-run.ts) is as it was, in columns that no list reads. It is not sealed: what it holds stands in the project's records as well, and an erasure
 * must find who is named there.
 */
export function toRunRow(record: RunRecord): WaitingRow {
  const { ctx, botId, version, caller, startedAt, trigger, input, isKept, traceId, replay, result } = record;
  const { projectId, profile } = caller;
  const output = outputOf(result);
  const status = statusOf(result);
  const failure = failureOf(result);
  const mask = maskOf({ input, output });
  const message = failure === null ? null : toMessage(result, failure, mask);
  const id = replay?.run ?? ((isCarriedOut(result) && record.id) || newId());
  const row = {
    project_id: projectId,
    id,
    bot_id: botId,
    version,
    requester: profile,
    trigger,
    status,
    started_at: startedAt,
    duration_ms: Math.round(result.durationMs),
    message,
    logs: isKept
      ? someOf(result.logs)
      : someOf(result.logs.map((line) => ({ ...line, text: mask(line.text) ?? MASK }))),
    request_id: ctx.requestId,
    trace_id: traceId,
    replay_of: replay?.of,
    cpu_us: result.usage?.[0],
    heap_kb: result.usage?.[1],
    failure: isKept ? failure : null,
    fingerprint: message === null ? null : fingerprintOf(status, message),
    ...contentColumns('input', input, isKept),
    input_headers: record.headers ? (isKept ? keptHeaders(record.headers) : eventName(trigger, record.headers)) : null,
    ...contentColumns('output', output, isKept),
    calls: someOf(result.calls),
  };
  const audit = record.audit && toAudit(record, id, status);
  return {
    ...{ projectId, json: toStorableJson(row) },
    ...(audit && { audit: { id: audit.id, json: toStorableJson(audit) } }),
  };
}

/** Why a run failed that was given this, as its row tells it: without what identifies somebody. Undefined for one that did not. */
export function faultOf(result: RunResult, input: Content | null): Fault | undefined {
  const failure = failureOf(result);
  if (failure === null) return undefined;
  const message = toMessage(result, failure, maskOf({ input, output: outputOf(result) }));
  return { message, fingerprint: fingerprintOf(statusOf(result), message) };
}

/** What the server says by itself is of nobody. */
function toMessage(result: RunResult, failure: string, mask: Parameters<typeof maskFailure>[1]): string {
  if (!result.ok && result.reason === 'stopped') return STOPPED;
  if (!result.ok && result.reason === 'cancelled') return CANCELLED;
  const masked = maskFailure(failure, mask);
  return OURS.has(masked) ? `Error: ${masked}` : masked;
}

/** By these it is told what a bot had no part in: its own words are others. */
const OURS = new Set([STOPPED, CANCELLED]);

/** Whether it ended by itself: one that was cut off may be run again. */
export function isCarriedOut(result: RunResult): boolean {
  return result.ok || (result.reason !== 'crashed' && result.reason !== 'cancelled');
}

/** The same row without what the bot wrote, for when PostgreSQL does not take it. */
export function withoutTexts({ json, ...rest }: WaitingRow): WaitingRow {
  const row = JSON.parse(json);
  const texts = { logs: null, failure: null, input: null, input_headers: null, output: null, calls: null };
  return { ...rest, json: JSON.stringify({ ...row, ...texts, message: row.message && 'This text could not be kept' }) };
}

function contentColumns(name: 'input' | 'output', content: Content | null, isKept: boolean): Record<string, unknown> {
  if (!content) return {};
  const { kind, text } = content;
  return {
    [`${name}_type`]: kind,
    [`${name}_bytes`]: Buffer.byteLength(text),
    ...(isKept && { [name]: text.length > MOST_KEPT ? text.slice(0, MOST_KEPT) : text }),
  };
}

/** Looked at only when there is something to mask, and never for long: the server's other requests wait meanwhile. */
function maskOf(texts: RunTexts): (text: string) => string | null {
  let mask: ((text: string) => string | null) | undefined;
  const isShort = [texts.input, texts.output].every((content) => (content?.text.length ?? 0) <= MOST_LOOKED_AT);
  return (text) => {
    if (!isShort) return null;
    mask ??= maskRun(texts).mask;
    return mask(text);
  };
}

function someOf<T>(list: readonly T[]): readonly T[] | null {
  return list.length > 0 ? list : null;
}

/** Who asked, with whose rights it ran, of which bot: contract §5.7. What was logged does not stand in the audit log, which is kept when a record is erased. */
function toAudit(
  { ctx, botId, version, caller, startedAt, trigger, input, headers, traceId, audit, result }: RunRecord,
  run: string,
  status: RunState,
) {
  const asks = callerOf(caller);
  return {
    id: newId(),
    action: 'bot.execute',
    target: `Bot/${botId}`,
    outcome: status === 'ok' ? 0 : 4,
    actor: asks.profile,
    actor_membership: asks.membershipId,
    login_id: asks.loginId ?? null,
    on_behalf_of: audit!.runAs.profile,
    request_id: ctx.requestId,
    remote_address: ctx.remoteAddress,
    after: {
      ...{ run, version, trigger, traceId, status, startedAt: startedAt.toISOString() },
      ...{ ms: Math.round(result.durationMs), input: resourceOf(input) },
      ...(trigger === 'subscription' && { subscription: headers?.['x-medplum-subscription'] }),
    },
  };
}

/** Which resource it was given, if it was one of ours. */
function resourceOf(input: Content | null): string | undefined {
  if (input?.kind !== 'json' || input.text.length > MOST_LOOKED_AT || !input.text.includes('"resourceType"'))
    return undefined;
  try {
    const { resourceType, id } = (JSON.parse(input.text) ?? {}) as Record<string, unknown>;
    const isOne =
      typeof resourceType === 'string' && isResourceType(resourceType) && typeof id === 'string' && isFhirId(id);
    return isOne ? `${resourceType}/${id}` : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** PostgreSQL text holds no NUL, and jsonb no lone surrogates: in JSON both are escapes, wherever they stand. */
function toStorableJson(row: object): string {
  const json = JSON.stringify(row);
  return /\\u(?:0000|d[89a-f])/.test(json) ? JSON.stringify(row, storable) : json;
}

function storable(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '').toWellFormed() : value;
}
