import { expect } from 'vitest';
import { type Answer, type Call, callApi } from '../call-api.ts';
import type { Caller } from './fhir-project.ts';

export const FHIR_BASE = 'http://localhost:3999/fhir/R4';

/** As `callApi`. `path` is below /fhir/R4. */
export function callFhir(caller: Caller | undefined, method: string, path: string, call: Call = {}): Promise<Answer> {
  return callApi(caller?.authorization, method, `/fhir/R4${path === '' ? '' : `/${path}`}`, call);
}

/** The status, and an OperationOutcome whose first issue has this code and, when given, names this place. */
export function expectIssue(answer: Answer, status: number, code: string, expression?: string): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/fhir+json; charset=utf-8');
  expect(answer.body.resourceType).toBe('OperationOutcome');
  expect(answer.body.issue[0]).toMatchObject({ severity: 'error', code });
  expect(answer.body.issue[0].details.text).toBeTruthy();
  if (expression) expect(answer.body.issue[0].expression).toEqual([expression]);
}
