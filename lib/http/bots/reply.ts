import { outcomeStatus } from '#lib/domain/runs/record/outcome-status.ts';
import type { RunResult, RunSuccess, RunValue } from '#lib/infra/sandbox/host/run-job.ts';
import { encodeHl7 } from '#lib/protocol/hl7/encode.ts';
import { HL7_TYPE } from '#lib/protocol/hl7/media-type.ts';
import { fhir, JSON_TYPE, type Reply } from '../door/reply.ts';
import { outcomeOf } from './outcome.ts';

/** As a header can hold it: no line end, nothing beyond ASCII. */
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+ *(?:;[\x20-\x7e]{0,1000})?$/;
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** What a run answers (contract §2.5, §2.6). A failing bot is never 5xx: the peer's client would run it three times. */
export function toBotReply(result: RunResult, requestType: string): Reply {
  const outcome = outcomeOf(result);
  // What was thrown is a failure, whatever it calls itself.
  if (outcome) return fhir(outcome, result.ok ? outcomeStatus(outcome) : Math.max(outcomeStatus(outcome), 400));
  const { value } = result as RunSuccess;
  if (value.kind === 'binary') return binary(JSON.parse(value.text));
  if (requestType === 'text/plain') return { status: 200, body: value.text, contentType: TEXT_TYPE };
  if (requestType === HL7_TYPE) {
    const { bytes, charset } = encodeHl7(value.text);
    return { status: 200, body: bytes, contentType: `${HL7_TYPE}; charset=${charset}` };
  }
  return asJson(value);
}

/** As the bot's text: what of it is JSON was parsed where it ran, and a large one must not be read here again. */
function asJson({ kind, text }: RunValue): Reply {
  if (kind === 'string' || kind === 'hl7') return { status: 200, body: text, contentType: TEXT_TYPE };
  if (kind !== 'null') return { status: 200, body: text, contentType: JSON_TYPE };
  return { status: 200, body: '', contentType: JSON_TYPE, headers: { 'content-length': '0' } };
}

/** Raw bytes under the Binary's own type, sandboxed: the bot chose what they are. */
function binary(value: { contentType?: unknown; data?: unknown }): Reply {
  const contentType =
    typeof value.contentType === 'string' && MEDIA_TYPE.test(value.contentType)
      ? value.contentType
      : 'application/octet-stream';
  const body = new Uint8Array(Buffer.from(typeof value.data === 'string' ? value.data : '', 'base64'));
  return { status: 200, body, contentType, headers: { 'content-security-policy': "default-src 'none'; sandbox" } };
}
