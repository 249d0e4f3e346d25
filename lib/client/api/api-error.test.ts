import { expect, test } from 'vitest';
import { ApiError, toIssues } from './api-error.ts';

test('an OperationOutcome becomes one issue per entry, with the field it names', () => {
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [
      { severity: 'error', code: 'invalid', details: { text: 'Must be an e-mail address' }, expression: ['email'] },
      { severity: 'error', code: 'structure', diagnostics: 'Bad JSON' },
      { severity: 'error' },
    ],
  };
  expect(toIssues(outcome)).toEqual([
    { text: 'Must be an e-mail address', expression: 'email', code: 'invalid' },
    { text: 'Bad JSON', expression: undefined, code: 'structure' },
    { text: 'The request was refused', expression: undefined, code: undefined },
  ]);
});

test('an OAuth error body gives its description', () => {
  expect(toIssues({ error: 'invalid_request', error_description: 'Invalid code' })).toEqual([{ text: 'Invalid code' }]);
});

test.each([undefined, null, 'text', 7, [], {}])(
  'a body of no known shape (%j) gives no issues, and the error still has words',
  (body) => {
    expect(toIssues(body)).toEqual([]);
    expect(new ApiError(500, toIssues(body), 'r1').message).not.toBe('');
  },
);
