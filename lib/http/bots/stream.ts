import { outcomeStatus } from '#lib/domain/runs/record/outcome-status.ts';
import type { RunResult, RunSuccess, RunValue } from '#lib/infra/sandbox/host/run-job.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { acceptedTypes } from '../door/accepted-types.ts';
import type { Reply } from '../door/reply.ts';
import { outcomeOf } from './outcome.ts';

export function wantsStream(request: Request): boolean {
  return acceptedTypes(request).includes('text/event-stream');
}

/** A run as server-sent events (contract §2.6): its value in one frame and the end, or the error. 200 whatever happened: a stream has begun. */
export function toStream(result: RunResult): { reply: Reply; failed: boolean } {
  const outcome = outcomeOf(result);
  const failed = outcome !== undefined && (!result.ok || outcomeStatus(outcome) >= 400);
  const frames = failed
    ? [JSON.stringify({ error: true, message: messageOf(outcome) })]
    : [outcome ? JSON.stringify(outcome) : toJson((result as RunSuccess).value), '[DONE]'];
  const body = frames.map((frame) => `data: ${frame}\n\n`).join('');
  return { reply: { status: 200, body, contentType: 'text/event-stream; charset=utf-8' }, failed };
}

function toJson({ kind, text }: RunValue): string {
  if (kind === 'string' || kind === 'json-string' || kind === 'hl7') return JSON.stringify(text);
  return text || 'null';
}

function messageOf({ issue: [first] }: OperationOutcome): string {
  return first?.details?.text ?? first?.diagnostics ?? 'The bot failed';
}
