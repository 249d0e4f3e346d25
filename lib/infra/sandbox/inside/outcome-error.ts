type OutcomeIssue = {
  severity?: string;
  code?: string;
  details?: { text?: string };
  diagnostics?: string;
  expression?: string[];
};
export type ThrownOutcome = { resourceType: 'OperationOutcome'; id?: string; issue: OutcomeIssue[] };

/** What a failed `medplum` call rejects with, and what a bot throws to choose its answer. */
export class OperationOutcomeError extends Error {
  readonly outcome: ThrownOutcome;

  constructor(outcome: ThrownOutcome, cause?: unknown) {
    super(outcomeText(outcome), { cause });
    this.name = 'OperationOutcomeError';
    this.outcome = outcome;
  }
}

export function isOperationOutcome(value: unknown): value is ThrownOutcome {
  if (typeof value !== 'object' || value === null) return false;
  const { resourceType, issue } = value as Partial<ThrownOutcome>;
  return resourceType === 'OperationOutcome' && Array.isArray(issue);
}

export function outcomeText(value: ThrownOutcome): string {
  const texts = value.issue
    .map((issue) => issue?.details?.text ?? issue?.diagnostics ?? issue?.code ?? '')
    .filter(Boolean);
  return texts.join('; ') || 'Error';
}
