import { ERRORS, type ErrorCode } from '#lib/base/errors.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';

/**
 * The status of a run by the outcome that its bot returns: 200 of success, whatever it calls itself (contract §2.6), else what its id stands for (§1.1
 * item 5); one without an id that holds an error is 400.
 */
export function outcomeStatus(value: OperationOutcome): number {
  if (OK_IDS.has(value.id ?? '')) return 200;
  const known = (Object.keys(ERRORS) as ErrorCode[])
    .map((code) => ERRORS[code])
    .find((row) => 'id' in row && row.id === value.id);
  if (known) return OURS.has(known.status) || known.status >= 500 ? 400 : known.status;
  const bad = value.issue.some((issue) => issue.severity === 'error' || issue.severity === 'fatal');
  return bad ? 400 : 200;
}

const OK_IDS: ReadonlySet<string> = new Set(['ok', 'created', 'accepted']);

/** Said by the service alone: the peer's client drops its session on 401 and repeats the run on 429. */
const OURS = new Set([401, 429]);
