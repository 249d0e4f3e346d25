import { SANDBOX_LIMITS } from '../host/limits.ts';

/** http://hl7.org/fhir/R4/valueset-issue-severity.html */
const SEVERITIES: readonly unknown[] = ['fatal', 'error', 'warning', 'information'];
const CODE = /^[a-z]+(?:-[a-z]+)*$/;

type Issue = { severity?: unknown; code?: unknown; details?: unknown; diagnostics?: unknown; expression?: unknown };

/** Whether it can be answered as it is: https://hl7.org/fhir/R4/operationoutcome.html, as far as status and message are read from it. */
export function isValidOutcome(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { resourceType, id, issue } = value as Record<string, unknown>;
  if (resourceType !== 'OperationOutcome' || !isTextIfAny(id)) return false;
  return Array.isArray(issue) && issue.length > 0 && issue.every(isIssue);
}

/** Short enough to be sent on and parsed by the server. */
export function fitsOutcome(text: string): boolean {
  return Buffer.byteLength(text) <= SANDBOX_LIMITS.outcomeBytes;
}

function isIssue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { severity, code, details, diagnostics, expression } = value as Issue;
  if (!SEVERITIES.includes(severity) || typeof code !== 'string' || !CODE.test(code)) return false;
  return isTextIfAny(diagnostics) && isConceptIfAny(details) && isTextsIfAny(expression);
}

function isConceptIfAny(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && isTextIfAny((value as { text?: unknown }).text);
}

function isTextsIfAny(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((text) => typeof text === 'string'));
}

function isTextIfAny(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
