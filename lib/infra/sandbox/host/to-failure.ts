import type { RunFailure } from './run-job.ts';
import type { FailureDetail, FailureReason } from './wire.ts';

/** A failure as its process tells of it, with the outcome read. */
export function toFailure(reason: FailureReason, { message, stack, outcome }: FailureDetail): RunFailure {
  const read = outcome === undefined ? undefined : parseOutcome(outcome);
  return { ok: false, reason, message, ...(stack && { stack }), ...(read && { outcome: read }) };
}

function parseOutcome(text: string): Record<string, unknown> | undefined {
  try {
    const outcome = JSON.parse(text);
    return outcome?.resourceType === 'OperationOutcome' && Array.isArray(outcome.issue) ? outcome : undefined;
  } catch {
    return undefined;
  }
}
