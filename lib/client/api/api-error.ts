import { UNPROVEN } from '#lib/protocol/proof/proof.ts';

/** One issue of an OperationOutcome. `expression` is the first FHIRPath of the issue, the field it is about. */
export type ApiIssue = { text: string; expression?: string; code?: string };

/** What our API (or the way to it) refused. `status` 0: no answer came. */
export class ApiError extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly issues: ApiIssue[];
  /** Of a refusal by a policy: what it can be asked for by. */
  readonly decision: string | undefined;

  constructor(status: number, issues: ApiIssue[], requestId?: string, decision?: string) {
    super(issues[0]?.text ?? fallbackText(status));
    this.name = 'ApiError';
    this.status = status;
    this.issues = issues;
    this.requestId = requestId;
    this.decision = decision;
  }
}

/** Reads an OperationOutcome, or an OAuth error (RFC 6749 §5.2), into issues; anything else gives none. */
export function toIssues(body: unknown): ApiIssue[] {
  if (typeof body !== 'object' || body === null) return [];
  if ('issue' in body && Array.isArray(body.issue)) return body.issue.map(toIssue);
  if ('error_description' in body && typeof body.error_description === 'string')
    return [{ text: body.error_description }];
  return [];
}

/** Whether the act is only to be done once more after a proof (POST /auth/proof). */
export function isUnproven(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('issue' in body) || !Array.isArray(body.issue)) return false;
  const codings = (body.issue as { details?: { coding?: unknown } }[]).flatMap((issue) => issue?.details?.coding ?? []);
  return codings.some((coding) => (coding as { code?: unknown } | null)?.code === UNPROVEN);
}

type RawIssue = { code?: unknown; details?: { text?: unknown }; diagnostics?: unknown; expression?: unknown };

function toIssue(raw: RawIssue): ApiIssue {
  const texts = [raw.details?.text, raw.diagnostics].filter((text) => typeof text === 'string');
  return {
    text: texts[0] ?? 'The request was refused',
    expression: Array.isArray(raw.expression) && typeof raw.expression[0] === 'string' ? raw.expression[0] : undefined,
    code: typeof raw.code === 'string' ? raw.code : undefined,
  };
}

function fallbackText(status: number): string {
  if (status === 0) return 'The server cannot be reached. Check the connection and try again.';
  if (status === 401) return 'Your session has ended. Sign in again.';
  if (status === 403) return 'Your role does not allow this.';
  if (status === 404) return 'Not found.';
  if (status === 412) return 'Someone else changed this in the meantime.';
  if (status === 429) return 'Too many tries. Wait a moment and try again.';
  return status >= 500 ? 'The server failed to answer.' : `The request was refused (${status}).`;
}
