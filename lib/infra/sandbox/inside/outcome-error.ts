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
    super(outcomeText(outcome), cause === undefined ? undefined : { cause });
    this.name = 'OperationOutcomeError';
    this.outcome = outcome;
  }
}

export function isOperationOutcome(value: unknown): value is ThrownOutcome {
  if (typeof value !== 'object' || value === null) return false;
  const { resourceType, issue } = value as Partial<ThrownOutcome>;
  return resourceType === 'OperationOutcome' && Array.isArray(issue);
}

/** As the peer's client words it (operationOutcomeToString of `@medplum/core`). */
export function outcomeText({ issue }: ThrownOutcome): string {
  return issue.map(issueText).join('; ') || 'Unknown error';
}

function issueText(issue: OutcomeIssue | undefined): string {
  const [text, more] = [issue?.details?.text, issue?.diagnostics];
  const said = (text && more ? `${text} (${more})` : (text ?? more)) ?? issue?.code ?? 'Unknown error';
  const expression = Array.isArray(issue?.expression) ? issue.expression : [];
  return expression.length > 0 ? `${said} (${expression.join(', ')})` : said;
}
