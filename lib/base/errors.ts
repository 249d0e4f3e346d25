/** Code -> HTTP status, FHIR issue type (http://hl7.org/fhir/R4/valueset-issue-type.html) and the OperationOutcome.id that the peer's clients read. */
export const ERRORS = {
  invalid: { status: 400, issue: 'invalid' },
  structure: { status: 400, issue: 'structure' },
  unauthorized: { status: 401, issue: 'login', id: 'unauthorized' },
  forbidden: { status: 403, issue: 'forbidden', id: 'forbidden' },
  // They may, once they have shown again who they are.
  unproven: { status: 403, issue: 'forbidden', id: 'forbidden' },
  'not-found': { status: 404, issue: 'not-found', id: 'not-found' },
  'unknown-type': { status: 404, issue: 'not-supported', id: 'not-found' },
  'method-not-allowed': { status: 405, issue: 'not-supported', id: 'method-not-allowed' },
  'not-acceptable': { status: 406, issue: 'not-supported', id: 'not-acceptable' },
  conflict: { status: 409, issue: 'conflict', id: 'conflict' },
  duplicate: { status: 409, issue: 'duplicate', id: 'conflict' },
  gone: { status: 410, issue: 'deleted', id: 'gone' },
  'precondition-failed': { status: 412, issue: 'processing', id: 'precondition-failed' },
  'multiple-matches': { status: 412, issue: 'multiple-matches', id: 'multiple-matches' },
  'content-too-large': { status: 413, issue: 'too-long', id: 'content-too-large' },
  'unsupported-media-type': { status: 415, issue: 'not-supported', id: 'unsupported-media-type' },
  'range-not-satisfiable': { status: 416, issue: 'invalid', id: 'range-not-satisfiable' },
  'business-rule': { status: 422, issue: 'business-rule', id: 'business-rule' },
  'too-many-requests': { status: 429, issue: 'throttled', id: 'too-many-requests' },
  // A bot that ran too long: 400 and not 504, because the peer's client repeats POSTs on 5xx.
  timeout: { status: 400, issue: 'timeout' },
  'too-costly': { status: 400, issue: 'too-costly' },
  exception: { status: 500, issue: 'exception' },
  unavailable: { status: 503, issue: 'transient' },
} as const satisfies Record<string, { status: number; issue: string; id?: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** One issue of an OperationOutcome: `expression` is a FHIRPath to the field, `code` overrides the table's issue type. */
export type Issue = { text: string; expression?: string; code?: string };

export type AppErrorOptions = {
  issues?: Issue[];
  /** Shorthand for one issue with this expression. */
  expression?: string;
  /** RFC 6749 §5.2 error name, for the OAuth endpoints. */
  oauth?: string;
  /** RFC 7644 §3.12 scimType, for SCIM. */
  scim?: string;
  retryAfterSeconds?: number;
  /** Of `unproven`: how old the proof may be. */
  maxAgeSeconds?: number;
  headers?: Record<string, string>;
  /** An OperationOutcome to answer as it is (a bot's own). */
  outcome?: Record<string, unknown>;
  /** What a policy has refused: such an error has a name by which it can be looked up. */
  refused?: { type: string; interaction: string; id?: string };
  cause?: unknown;
};

/** The one error that callers see. `message` is public; `cause` only ever reaches the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[];
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.options = options;
    this.issues = options.issues ?? [{ text: message, expression: options.expression }];
  }
}

/** The same 404 for what is missing and for what the caller may not know of. */
export function notFound(): AppError {
  return new AppError('not-found', 'Not found');
}
