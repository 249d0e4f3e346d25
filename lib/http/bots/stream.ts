import type { RunResult, RunSuccess } from '#lib/infra/sandbox/host/run-job.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { acceptedTypes } from '../door/accepted-types.ts';
import type { Reply } from '../door/reply.ts';
import { outcomeOf, outcomeStatus } from './outcome.ts';

export function wantsStream(request: Request): boolean {
  return acceptedTypes(request).includes('text/event-stream');
}

/** A run as server-sent events (contract §2.6): its value in one frame and the end, or the error. 200 whatever happened: a stream has begun. */
export function toStream(result: RunResult): { reply: Reply; failed: boolean } {
  const outcome = outcomeOf(result);
  const failed = outcome !== undefined && (!result.ok || outcomeStatus(outcome) >= 400);
  const value = outcome ?? (result as RunSuccess).value.value ?? null;
  const frames = failed
    ? [JSON.stringify({ error: true, message: messageOf(outcome) })]
    : [JSON.stringify(value), '[DONE]'];
  const body = frames.map((frame) => `data: ${frame}\n\n`).join('');
  return { reply: { status: 200, body, contentType: 'text/event-stream; charset=utf-8' }, failed };
}

function messageOf({ issue }: OperationOutcome): string {
  const [first] = Array.isArray(issue) ? issue : [];
  return first?.details?.text ?? first?.diagnostics ?? 'The bot failed';
}
