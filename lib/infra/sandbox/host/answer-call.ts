import { AppError, ERRORS } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { toOutcome } from '#lib/protocol/fhir/outcome.ts';
import type { CallFacts, RunJob } from './run-job.ts';

/**
 * Carries out one bridge call and puts its answer, or the OperationOutcome of its failure, into JSON. Never rejects. The arguments were
 * measured by the process that sent them: they are short to parse.
 */
export async function answerCall(
  call: RunJob['call'],
  method: string,
  args: string,
  signal: AbortSignal,
): Promise<{ ok: boolean; value: string | undefined; facts: CallFacts }> {
  let noted: CallFacts = {};
  const note = (facts: CallFacts) => {
    noted = facts;
  };
  try {
    const value = JSON.stringify(await call(method, toArguments(args), note, signal));
    return { ok: true, value, facts: { status: 200, bytes: value?.length ?? 0, ...noted } };
  } catch (error) {
    return { ok: false, value: JSON.stringify(outcomeOf(error)), facts: { status: statusOf(error), ...noted } };
  }
}

function statusOf(error: unknown): number {
  if (error instanceof AppError) return ERRORS[error.code].status;
  return error instanceof Error && 'outcome' in error ? 400 : 500;
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
