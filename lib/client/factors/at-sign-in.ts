import type { EnrolledLogin, LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand, FactorMethod } from '#lib/protocol/factors/answers.ts';
import { api } from '../api/api.ts';
import type { SignInAttempt } from '../door/sign-in.ts';

/** What a step of a sign-in asks for before it goes on. */
export function toDemand(result: LoginResult): FactorDemand | undefined {
  return 'mfaRequired' in result || 'mfaEnrollRequired' in result ? (result as FactorDemand) : undefined;
}

export function proveFactor({ login }: SignInAttempt, token: string): Promise<LoginResult> {
  return api<LoginResult>('/auth/mfa/verify', { method: 'POST', signingIn: true, body: { login, token } });
}

export function enrollAtSignIn(
  { login }: SignInAttempt,
  body: { token: string; method: FactorMethod },
): Promise<EnrolledLogin> {
  return api<EnrolledLogin>('/auth/mfa/login-enroll', { method: 'POST', signingIn: true, body: { login, ...body } });
}

/** Mails a code for this sign-in. */
export async function mailSignInCode({ login }: SignInAttempt): Promise<void> {
  await api('/auth/mfa/send-email', { method: 'POST', signingIn: true, body: { login } });
}
