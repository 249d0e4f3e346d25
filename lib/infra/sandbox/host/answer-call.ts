import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import type { RunJob } from './run-job.ts';

/**
 * Carries out one bridge call and puts its answer, or the OperationOutcome of its failure, into JSON. Never rejects. The arguments were
 * measured by the process that sent them: they are short to parse.
 */
export async function answerCall(
  call: RunJob['call'],
  method: string,
  args: string,
): Promise<{ ok: boolean; value: string | undefined }> {
  try {
    return { ok: true, value: JSON.stringify(await call(method, toArguments(args))) };
  } catch (error) {
    return { ok: false, value: JSON.stringify(outcomeOf(error)) };
  }
}

function toArguments(text: string): unknown[] {
  try {
    const args: unknown = JSON.parse(text);
    if (Array.isArray(args)) return args;
  } catch {}
  throw new AppError('invalid', 'The arguments of the call cannot be read');
}

function outcomeOf(error: unknown): unknown {
  if (error instanceof AppError) return toOutcome(error);
  if (error instanceof Error && 'outcome' in error) return error.outcome;
  log.error({ err: error }, 'a bot’s call failed');
  return toOutcome(new AppError('exception', 'Internal error'));
}
