import { AppError } from '#lib/base/errors.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';

export type OutputParameter = { name: string; [value: `value${string}`]: unknown; resource?: unknown };

/** What a job came to. */
export type JobEnd = { ok: boolean; output: OutputParameter[] };

/** Parameters as a job's row keeps them. */
export function toOutput(parameter: OutputParameter[]): string {
  return JSON.stringify({ resourceType: 'Parameters', ...(parameter.length > 0 ? { parameter } : {}) });
}

/** The output of a job that failed for a reason of its caller's, or of ours: `text` is public. */
export function errorOutput(error: AppError | string): string {
  const known = typeof error === 'string' ? new AppError('exception', error) : error;
  return toOutput([{ name: 'outcome', resource: toOutcome(known) }]);
}
