import type { BegunByMail, LoginResult } from '#lib/protocol/answers/login.ts';
import { api } from '../api/api.ts';
import { makePkce, type Pkce } from './pkce.ts';
import type { SignInAttempt } from './sign-in.ts';

/** A sign-in whose code is in a mail: this tab has the verifier. */
export type MailedSignIn = { id: string; pkce: Pkce; email: string };

/** Where to go when the mailed link is opened in this browser. */
const NEXT = 'gatehouse-link:';

export async function mailSignIn(email: string, where: { projectId?: string; next?: string }): Promise<MailedSignIn> {
  const pkce = await makePkce();
  const { codeChallenge, codeChallengeMethod } = pkce;
  const body = { email, projectId: where.projectId, codeChallenge, codeChallengeMethod };
  const { id } = await api<BegunByMail>('/auth/signinlink', { method: 'POST', signingIn: true, body });
  if (where.next) localStorage.setItem(NEXT + id, where.next);
  return { id, pkce, email };
}

type Entered = { attempt: SignInAttempt; result: LoginResult };

export async function signInByMailedCode({ id, pkce }: MailedSignIn, code: string): Promise<Entered> {
  const result = await spend({ id, code });
  return { attempt: { pkce, login: result.login }, result };
}

/** In whatever browser the link was opened: with a verifier of its own. `next`: from where it was asked for in this one. */
export async function signInByLink(id: string, secret: string): Promise<Entered & { next: string | undefined }> {
  const pkce = await makePkce();
  const { codeChallenge, codeChallengeMethod } = pkce;
  const result = await spend({ id, secret, codeChallenge, codeChallengeMethod });
  const next = localStorage.getItem(NEXT + id) ?? undefined;
  localStorage.removeItem(NEXT + id);
  return { attempt: { pkce, login: result.login }, result, next };
}

function spend(body: object): Promise<LoginResult> {
  return api<LoginResult>('/auth/signinlink/spend', { method: 'POST', signingIn: true, body });
}
