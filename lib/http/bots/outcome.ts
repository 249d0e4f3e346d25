import { AppError } from '#lib/base/errors.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { allOk, toOutcome } from '#lib/protocol/fhir/outcome.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';

/**
 * The OperationOutcome that a run comes to: its failure, the one that it returned, or All OK when it returned nothing. Undefined for every
 * other value. Those of a bot are valid and short: the sandbox has looked.
 */
export function outcomeOf(result: RunResult): OperationOutcome | undefined {
  if (!result.ok) return (result.outcome ?? failure(result.reason, result.message)) as OperationOutcome;
  const { kind, text } = result.value;
  if (kind === 'undefined') return allOk();
  return kind === 'outcome' ? JSON.parse(text) : undefined;
}

function failure(reason: string, message: string) {
  const code = reason === 'timeout' ? 'timeout' : 'invalid';
  return toOutcome(new AppError(code, message, { issues: [{ text: message }] }));
}
