import type { LoginResult, SignInMethod } from '#lib/protocol/answers/login.ts';
import { api } from '../api/api.ts';
import { makePkce, type Pkce } from './pkce.ts';

/** What this tab keeps while its person is with an identity provider: nobody else can use the code that comes back. */
type Kept = { pkce: Pkce; next?: string };

const KEY = 'gatehouse-external';

/** How this address signs in, for this project if one is named. A server that does not answer this asks for the password. */
export function findMethod(email: string, projectId: string | undefined): Promise<SignInMethod> {
  const body = { email, ...(projectId && { projectId }) };
  return api<SignInMethod>('/auth/method', { method: 'POST', signingIn: true, body }).catch(() => ({}));
}

/** Leaves for the provider, which sends the browser back to the sign-in page. */
export async function goToProvider(authorizeUrl: string, { next, projectId }: { next?: string; projectId?: string }) {
  const pkce = await makePkce();
  const kept: Kept = { pkce, next };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
  const { codeChallenge, codeChallengeMethod } = pkce;
  const url = new URL(authorizeUrl);
  url.searchParams.set(
    'state',
    JSON.stringify({ codeChallenge, codeChallengeMethod, ...(projectId && { projectId }) }),
  );
  window.location.assign(url);
  await new Promise(() => undefined);
}

/** What was kept, once; undefined in a tab that has not begun this. */
export function takeKept(): Kept | undefined {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as Kept);
}

/** The memberships to choose from, of a sign-in that came back without a code. */
export function readStarted(login: string): Promise<LoginResult> {
  return api(`/auth/login/${encodeURIComponent(login)}`, { signingIn: true });
}
