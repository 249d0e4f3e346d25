import { isOperationOutcome, outcomeText, type ThrownOutcome } from './outcome-error.ts';

export const allOk = outcome('ok', 'informational', 'All OK', 'information');
export const created = outcome('created', 'informational', 'Created', 'information');
export const notFound = outcome('not-found', 'not-found', 'Not found');
export const unauthorized = outcome('unauthorized', 'login', 'Unauthorized');
export const forbidden = outcome('forbidden', 'forbidden', 'Forbidden');
export const gone = outcome('gone', 'deleted', 'Deleted');
export const preconditionFailed = outcome('precondition-failed', 'processing', 'Precondition Failed');

export function badRequest(text: string, expression?: string): ThrownOutcome {
  const [issue] = outcome(undefined, 'invalid', text).issue;
  const made = { ...issue, ...(expression === undefined ? {} : { expression: [expression] }) };
  return { resourceType: 'OperationOutcome', issue: [made] };
}

export function conflict(text: string): ThrownOutcome {
  return outcome('conflict', 'conflict', text);
}

export function isOk(value: ThrownOutcome): boolean {
  return value.issue.every((issue) => issue.severity === 'information' || issue.severity === 'success');
}

export function isNotFound(value: ThrownOutcome): boolean {
  return value.id === 'not-found';
}

export function normalizeErrorString(error: unknown): string {
  if (isOperationOutcome(error)) return outcomeText(error);
  if (error instanceof Error) return error.message;
  if (typeof error === 'string') return error;
  return error ? JSON.stringify(error) : 'Unknown error';
}

function outcome(id: string | undefined, code: string, text: string, severity = 'error'): ThrownOutcome {
  return { resourceType: 'OperationOutcome', ...(id && { id }), issue: [{ severity, code, details: { text } }] };
}
