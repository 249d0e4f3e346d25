import { expect, test, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { applyApiError } from './form-errors.ts';

type Values = { email: string; password: string };
const FIELDS = ['email', 'password'] as const;

test('an issue lands on the field that its expression names, the first one takes the focus', () => {
  const setError = vi.fn();
  const error = new ApiError(400, [
    { text: 'taken', expression: 'email' },
    { text: 'too short', expression: 'Parameters.password' },
  ]);
  expect(applyApiError<Values>(error, FIELDS, setError)).toBeUndefined();
  expect(setError.mock.calls).toEqual([
    ['email', { type: 'server', message: 'taken' }, { shouldFocus: true }],
    ['password', { type: 'server', message: 'too short' }, { shouldFocus: false }],
  ]);
});

test('what names no field of the form is handed back for the message above it', () => {
  const error = new ApiError(409, [{ text: 'closed', expression: 'projectId' }]);
  expect(applyApiError<Values>(error, FIELDS, vi.fn())).toEqual({ texts: ['closed'], requestId: undefined });
});

test('only a fault of the server shows its request id', () => {
  expect(applyApiError<Values>(new ApiError(500, [], 'r1'), FIELDS, vi.fn())?.requestId).toBe('r1');
});

test('an alias maps a name of the API onto a field of another name', () => {
  const setError = vi.fn();
  applyApiError<Values>(new ApiError(400, [{ text: 'no', expression: 'user.mail' }]), FIELDS, setError, {
    'user.mail': 'email',
  });
  expect(setError).toHaveBeenCalledWith('email', expect.anything(), expect.anything());
});
