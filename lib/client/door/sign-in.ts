import type { LoginCode, LoginResult, NewUserResult } from '#lib/protocol/answers/login.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { whilePending } from '../api/pending.ts';
import { redeemCode, verifyEmail } from './password-links.ts';
import { makePkce, type Pkce } from './pkce.ts';

/** One sign-in under way: the verifier lives here, in memory, until the code is spent. */
export type SignInAttempt = { pkce: Pkce; login: string };

/** `projectId`: the project whose own people sign in; without it, people known to the whole server. */
export async function startSignIn(input: {
  email: string;
  password: string;
  projectId?: string;
}): Promise<{ attempt: SignInAttempt; result: LoginResult }> {
  const pkce = await makePkce();
  const result = await api<LoginResult>('/auth/login', {
    method: 'POST',
    signingIn: true,
    body: { ...input, ...toChallenge(pkce) },
  });
  return { attempt: { pkce, login: result.login }, result };
}

export async function chooseMembership(attempt: SignInAttempt, membershipId: string): Promise<LoginResult> {
  return api<LoginResult>('/auth/profile', {
    method: 'POST',
    signingIn: true,
    body: { login: attempt.login, profile: membershipId },
  });
}

/**
 * Trades the code for the session cookie. The access token stays on the server. `isFurther`: the sign-in that this browser has goes on
 * beside it; else that ends.
 */
export async function finishSignIn(attempt: SignInAttempt, code: string, isFurther = false): Promise<void> {
  const { codeVerifier } = attempt.pkce;
  const answer = await whilePending(async () => {
    const { signIn } = await import('next-auth/react');
    return signIn('credentials', { code, codeVerifier, ...(isFurther && { further: 'yes' }), redirect: false });
  });
  if (!answer?.ok)
    throw new ApiError(answer?.status ?? 0, [{ text: 'This sign-in could not be completed. Please try again.' }]);
}

export type NewUser = { firstName: string; lastName: string; email: string; password: string };

export type Registered = {
  attempt: SignInAttempt;
  /** A mail with a link and a code is on its way; the project waits for it. */
  mustConfirm: boolean;
};

export async function registerPerson(input: NewUser): Promise<Registered> {
  const pkce = await makePkce();
  const body = { ...input, projectId: 'new', ...toChallenge(pkce) };
  const { login, emailVerificationRequired } = await api<NewUserResult>('/auth/newuser', {
    method: 'POST',
    signingIn: true,
    body,
  });
  return { attempt: { pkce, login }, mustConfirm: emailVerificationRequired === true };
}

export async function sendVerification(login: string): Promise<void> {
  await api('/auth/verifyemail/send', { method: 'POST', signingIn: true, body: { login } });
}

/** The code of the mail is traded for its link, and that one spent. */
export async function confirmAddressByCode(email: string, code: string): Promise<void> {
  await verifyEmail(await redeemCode(email, code));
}

export async function registerProject(attempt: SignInAttempt, projectName: string): Promise<LoginCode> {
  return api<LoginCode>('/auth/newproject', {
    method: 'POST',
    signingIn: true,
    body: { login: attempt.login, projectName },
  });
}

function toChallenge({ codeChallenge, codeChallengeMethod }: Pkce) {
  return { codeChallenge, codeChallengeMethod };
}
