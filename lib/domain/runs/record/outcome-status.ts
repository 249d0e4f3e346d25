import { ERRORS, type ErrorCode } from '#lib/base/errors.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';

/** The status that the outcome's id stands for (contract §1.1 item 5); one without an id that holds an error is 400. */
export function outcomeStatus(value: OperationOutcome): number {
  const ok = OK_IDS.get(value.id ?? '');
  if (ok) return ok;
  const known = (Object.keys(ERRORS) as ErrorCode[])
    .map((code) => ERRORS[code])
    .find((row) => 'id' in row && row.id === value.id);
  if (known) return OURS.has(known.status) || known.status >= 500 ? 400 : known.status;
  const bad = value.issue.some((issue) => issue.severity === 'error' || issue.severity === 'fatal');
  return bad ? 400 : 200;
}

const OK_IDS = new Map([
  ['ok', 200],
  ['created', 201],
  ['accepted', 202],
]);

/** Said by the service alone: the peer's client drops its session on 401 and repeats the run on 429. */
const OURS = new Set([401, 429]);
