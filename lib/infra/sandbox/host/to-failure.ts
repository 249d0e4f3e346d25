import { isReadable } from './is-readable.ts';
import type { RunFailure } from './run-job.ts';
import type { FailureReason } from './wire.ts';

/** A failure as its process tells of it, with the outcome read: a valid one, or none. */
export function toFailure(
  reason: FailureReason,
  message: string,
  stack: string | undefined,
  outcome: string | undefined,
): RunFailure {
  const isKept = outcome !== undefined && isReadable('outcome', outcome);
  return { ok: false, reason, message, ...(stack && { stack }), ...(isKept && { outcome: JSON.parse(outcome) }) };
}
