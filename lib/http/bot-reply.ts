import { AppError, ERRORS, type ErrorCode } from '#lib/base/errors.ts';
import type { RunFailure, RunResult, RunValue } from '#lib/infra/sandbox/run-job.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { HL7_TYPE } from './bot-input.ts';
import { FHIR_TYPE, fhir, JSON_TYPE, json, type Reply } from './reply.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What a run answers (contract §2.5, §2.6). A failing bot is never 5xx: the peer's client would run it three times. */
export function toBotReply(result: RunResult, requestType: string): Reply {
  if (!result.ok) return failed(result);
  const { value } = result;
  if (value.kind === 'json' && isType(value.value, 'OperationOutcome')) return outcome(value.value as OperationOutcome);
  if (value.kind === 'json' && isType(value.value, 'Binary'))
    return binary(value.value as { contentType?: unknown; data?: unknown });
  if (value.kind === 'undefined') return fhir(allOk());
  if (requestType === 'text/plain') return { status: 200, body: toText(value), contentType: TEXT_TYPE };
  if (requestType === HL7_TYPE) return { status: 200, body: toText(value), contentType: `${HL7_TYPE}; charset=utf-8` };
  return asJson(value);
}

function asJson(value: RunValue): Reply {
  switch (value.kind) {
    case 'string':
    case 'hl7':
      return isJsonText(value.value)
        ? { status: 200, body: value.value, contentType: JSON_TYPE }
        : { status: 200, body: value.value, contentType: TEXT_TYPE };
    case 'undefined':
    case 'null':
      return { status: 200, body: '', contentType: JSON_TYPE, headers: { 'content-length': '0' } };
    default:
      return json(value.value);
  }
}

/** NaN and the infinities are no JSON, but they are text. */
function toText(value: RunValue): string {
  if (value.kind === 'json') return JSON.stringify(value.value);
  return value.value === undefined ? '' : String(value.value);
}

function failed(result: RunFailure): Reply {
  if (result.outcome) return outcome(result.outcome as OperationOutcome);
  const code = result.reason === 'timeout' ? 'timeout' : 'invalid';
  throw new AppError(code, result.message, { issues: [{ text: result.message }] });
}

/** The status that the outcome's id stands for (contract §1.1 item 5); one without an id that holds an error is 400. */
function outcome(value: OperationOutcome): Reply {
  return { status: statusOf(value), body: JSON.stringify(value), contentType: FHIR_TYPE };
}

const OK_IDS: Record<string, number> = { ok: 200, created: 201, accepted: 202 };

function statusOf(value: OperationOutcome): number {
  const ok = OK_IDS[value.id ?? ''];
  if (ok) return ok;
  const known = (Object.keys(ERRORS) as ErrorCode[])
    .map((code) => ERRORS[code])
    .find((row) => 'id' in row && row.id === value.id);
  if (known) return known.status < 500 ? known.status : 400;
  const bad =
    Array.isArray(value.issue) &&
    value.issue.some((issue) => issue?.severity === 'error' || issue?.severity === 'fatal');
  return bad ? 400 : 200;
}

/** Raw bytes under the Binary's own type, sandboxed: the bot chose what they are. */
function binary(value: { contentType?: unknown; data?: unknown }): Reply {
  const contentType =
    typeof value.contentType === 'string' && /^[\w.+-]+\/[\w.+-]+(?:;[\w\s=.+-]*)?$/.test(value.contentType)
      ? value.contentType
      : 'application/octet-stream';
  const body = new Uint8Array(Buffer.from(typeof value.data === 'string' ? value.data : '', 'base64'));
  return { status: 200, body, contentType, headers: { 'content-security-policy': "default-src 'none'; sandbox" } };
}

function isType(value: unknown, resourceType: string): boolean {
  return typeof value === 'object' && value !== null && 'resourceType' in value && value.resourceType === resourceType;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
