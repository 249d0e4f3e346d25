import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import { api } from '../api/api.ts';
import { makePkce } from '../door/pkce.ts';
import type { SignInAttempt } from '../door/sign-in.ts';

/** What a passkey has signed. */
export type SignedByPasskey = AuthenticationResponseJSON;

/** Has the browser ask for a passkey. Rejects when the person turns away; one that waited where the address is typed ends. */
export async function askForPasskey(): Promise<SignedByPasskey> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: await readOptions() });
}

/** Waits until the person picks a passkey among what the browser offers for the address; undefined where it offers none. */
export async function waitForPasskey(signal: AbortSignal): Promise<SignedByPasskey | undefined> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await import(
    '@simplewebauthn/browser'
  );
  if (!(await browserSupportsWebAuthnAutofill())) return undefined;
  signal.throwIfAborted();
  const optionsJSON = await readOptions(signal);
  signal.throwIfAborted();
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony());
  return startAuthentication({ optionsJSON, useBrowserAutofill: true });
}

function readOptions(signal?: AbortSignal): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return api('/auth/passkey/options', { method: 'POST', signingIn: true, signal });
}

/** `projectId` as for a password. */
export async function signInByPasskey(
  response: SignedByPasskey,
  projectId: string | undefined,
): Promise<{ attempt: SignInAttempt; result: LoginResult }> {
  const pkce = await makePkce();
  const { codeChallenge, codeChallengeMethod } = pkce;
  const result = await api<LoginResult>('/auth/passkey/verify', {
    method: 'POST',
    signingIn: true,
    body: { response, projectId, codeChallenge, codeChallengeMethod },
  });
  return { attempt: { pkce, login: result.login }, result };
}
