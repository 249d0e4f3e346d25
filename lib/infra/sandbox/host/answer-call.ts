import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import { BRIDGE_METHODS } from './limits.ts';
import type { RunJob } from './run-job.ts';

/** Carries out one bridge call and puts its answer, or the OperationOutcome of its failure, into JSON. Never rejects. */
export async function answerCall(
  call: RunJob['call'],
  method: string,
  args: string,
): Promise<{ ok: boolean; value: string | undefined }> {
  try {
    if (!(BRIDGE_METHODS as readonly string[]).includes(method))
      throw new AppError('invalid', `Unknown method ${method}`);
    return { ok: true, value: JSON.stringify(await call(method, JSON.parse(args))) };
  } catch (error) {
    return { ok: false, value: JSON.stringify(outcomeOf(error)) };
  }
}

function outcomeOf(error: unknown): unknown {
  if (error instanceof AppError) return toOutcome(error);
  if (error instanceof Error && 'outcome' in error) return error.outcome;
  log.error({ err: error }, 'a bot’s call failed');
  return toOutcome(new AppError('exception', 'Internal error'));
}
