import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { outcomeStatus } from './outcome-status.ts';

export function statusOf(result: RunResult): RunState {
  if (result.ok) return failureOf(result) === null ? 'ok' : 'failed';
  return result.reason === 'timeout' || result.reason === 'out-of-memory' ? result.reason : 'failed';
}

/** Why a run failed: the bot's error with its stack, or what it says by an OperationOutcome that it returns (contract §2.6); null when it did not. */
export function failureOf(result: RunResult): string | null {
  if (!result.ok) return result.stack ?? result.message;
  const { kind, text } = result.value;
  if (kind !== 'outcome') return null;
  const outcome = JSON.parse(text) as OperationOutcome;
  if (outcomeStatus(outcome) < 400) return null;
  const [issue] = outcome.issue;
  return issue?.details?.text ?? issue?.diagnostics ?? 'The bot returned an OperationOutcome that is none of success';
}
