import type { JobEnd, OutputParameter } from '#lib/domain/runs/job-output.ts';
import { outcomeStatus } from '#lib/domain/runs/record/outcome-status.ts';
import type { RunResult, RunSuccess } from '#lib/infra/sandbox/host/run-job.ts';
import { outcomeOf } from './outcome.ts';

/** What a run comes to as the output of a job (contract §2.6): objects as JSON, numbers as text, errors as `outcome`. */
export function toJobEnd(result: RunResult): JobEnd {
  const resource = outcomeOf(result);
  if (resource) return { ok: result.ok && outcomeStatus(resource) < 400, output: [{ name: 'outcome', resource }] };
  const { value } = result as RunSuccess;
  if (value.kind === 'null') return { ok: true, output: [] };
  const body: OutputParameter =
    value.kind === 'boolean'
      ? { name: 'responseBody', valueBoolean: value.text === 'true' }
      : { name: 'responseBody', valueString: value.text };
  return { ok: true, output: [body] };
}
