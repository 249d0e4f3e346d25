import type { RunResult, RunSuccess, RunValue } from '#lib/infra/sandbox/host/run-job.ts';
import { encodeHl7 } from '#lib/protocol/hl7/encode.ts';
import { fhir, JSON_TYPE, json, type Reply } from '../door/reply.ts';
import { HL7_TYPE } from './input.ts';
import { outcomeOf, outcomeStatus } from './outcome.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What a run answers (contract §2.5, §2.6). A failing bot is never 5xx: the peer's client would run it three times. */
export function toBotReply(result: RunResult, requestType: string): Reply {
  const outcome = outcomeOf(result);
  // What was thrown is a failure, whatever it calls itself.
  if (outcome) return fhir(outcome, result.ok ? outcomeStatus(outcome) : Math.max(outcomeStatus(outcome), 400));
  const { value } = result as RunSuccess;
  if (value.kind === 'json' && isType(value.value, 'Binary'))
    return binary(value.value as { contentType?: unknown; data?: unknown });
  if (requestType === 'text/plain') return { status: 200, body: toText(value), contentType: TEXT_TYPE };
  if (requestType === HL7_TYPE) {
    const { bytes, charset } = encodeHl7(toText(value));
    return { status: 200, body: bytes, contentType: `${HL7_TYPE}; charset=${charset}` };
  }
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
export function toText(value: RunValue): string {
  if (value.kind === 'json') return JSON.stringify(value.value);
  return value.value === undefined ? '' : String(value.value);
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
