import { type AppError, ERRORS, type Issue } from '#lib/base/errors.ts';
import { UNPROVEN } from '../proof/proof.ts';
import type { OperationOutcome, OperationOutcomeIssue } from './types.ts';

/** The body of an error answer; a bot's own outcome goes out as it is. `decision`: by which an administrator looks up why. */
export function toOutcome(error: AppError, decision?: string): OperationOutcome | Record<string, unknown> {
  if (error.options.outcome) return error.options.outcome;
  const { issue: code, ...rest } = ERRORS[error.code];
  return {
    resourceType: 'OperationOutcome',
    ...('id' in rest ? { id: rest.id } : {}),
    issue: toOutcomeIssues(error.issues, code).map((issue) => {
      if (decision !== undefined) return withCode(issue, 'urn:gatehouse:decision', decision);
      return error.code === 'unproven' ? withReason(issue) : issue;
    }),
  };
}

/** For programs: the name that RFC 9470 §3 has for it, which a page cannot read of a header. */
function withReason(issue: OperationOutcomeIssue): OperationOutcomeIssue {
  return withCode(issue, 'urn:gatehouse:refusal', UNPROVEN);
}

function withCode(issue: OperationOutcomeIssue, system: string, code: string): OperationOutcomeIssue {
  return { ...issue, details: { ...issue.details, coding: [{ system, code }] } };
}

/** As an OperationOutcome has them; `standard` is the code of those that name none. */
export function toOutcomeIssues(
  issues: Issue[],
  standard: string,
  severity: OperationOutcomeIssue['severity'] = 'error',
): OperationOutcomeIssue[] {
  return issues.map(({ text, expression, code = standard }) => ({
    severity,
    code,
    details: { text: cut(text) },
    // No text of FHIR is empty: it is about all of it.
    ...(expression ? { expression: [cut(expression)] } : {}),
  }));
}

/** Of what a caller has sent, an answer repeats so much. */
const MAX_CHARACTERS = 1000;

function cut(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}

/** "It is done" for operations that have no other result. */
export function allOk(text = 'All OK'): OperationOutcome {
  return information('ok', text);
}

/** As allOk, for what was created (201). */
export function created(text = 'Created'): OperationOutcome {
  return information('created', text);
}

/** As allOk, for what waits (202). */
export function acceptedLater(text: string): OperationOutcome {
  return information('accepted', text);
}

/** As allOk, for what is done later (202): `url` tells how it stands. */
export function accepted(url: string): OperationOutcome {
  const outcome = information('accepted', 'Accepted');
  return { ...outcome, issue: outcome.issue.map((issue) => ({ ...issue, diagnostics: url })) };
}

function information(id: string, text: string): OperationOutcome {
  const issue: OperationOutcomeIssue = { severity: 'information', code: 'informational', details: { text } };
  return { resourceType: 'OperationOutcome', id, issue: [issue] };
}
