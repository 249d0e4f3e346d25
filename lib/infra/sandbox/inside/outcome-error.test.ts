import { OperationOutcomeError as Peers } from '@medplum/core';
import { expect, test } from 'vitest';
import { OperationOutcomeError, type ThrownOutcome } from './outcome-error.ts';

test.each([
  [[{ details: { text: 'A' } }]],
  [[{ details: { text: 'A' }, expression: ['Patient.name'] }]],
  [[{ details: { text: 'A' }, diagnostics: 'b', expression: ['Patient.name', 'Patient.active'] }]],
  [[{ diagnostics: 'b' }, { details: { text: 'A' }, expression: [] }]],
  [[{ diagnostics: 'b', expression: ['Patient'] }]],
  [[]],
])('%j is worded as the peer’s client does', (issue) => {
  const outcome = { resourceType: 'OperationOutcome', issue } as ThrownOutcome;
  expect(new OperationOutcomeError(outcome).message).toBe(new Peers(outcome as never).message);
});

test('what it has no words for is called by its code', () => {
  const outcome: ThrownOutcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'conflict' }] };
  expect(new OperationOutcomeError(outcome).message).toBe('conflict');
});
