import { expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { knowsPasskeys, toPasskeyProblem } from './problem.ts';

const failure = (name: string, code?: string) => Object.assign(new Error('x'), { name, code });

test('whoever turns away, or lets the time pass, is told nothing', () => {
  for (const name of ['NotAllowedError', 'AbortError']) expect(toPasskeyProblem(failure(name))).toBeUndefined();
});

test('what the server refused, and what can be helped, is told', () => {
  expect(toPasskeyProblem(new ApiError(400, [{ text: 'This passkey does not sign in here' }]))).toMatch(/does not/);
  const before = failure('InvalidStateError', 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED');
  expect(toPasskeyProblem(before)).toMatch(/already/);
  expect(toPasskeyProblem(failure('SecurityError', 'ERROR_INVALID_DOMAIN'))).toMatch(/address/);
  const unlocked = failure('ConstraintError', 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT');
  expect(toPasskeyProblem(unlocked)).toMatch(/PIN/);
  expect(toPasskeyProblem(failure('UnknownError'))).toMatch(/another one/);
  expect(toPasskeyProblem('x')).toMatch(/another one/);
});

test('where there is no browser there are no passkeys', () => {
  expect(knowsPasskeys()).toBe(false);
});
