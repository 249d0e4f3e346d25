import type { Authorization, Next } from '#lib/protocol/answers/authorization.ts';
import type { AuthorizationRequest } from '#lib/protocol/requests/authorization.ts';
import { api } from '../api/api.ts';

/** What an app asks; `query` is that of its request. 401: nobody is signed in any more. */
export function readAuthorization(query: string, signal: AbortSignal): Promise<Authorization> {
  return api(`/auth/authorization?${query}`, { signingIn: true, signal });
}

export function decide(body: AuthorizationRequest): Promise<Next> {
  return api('/auth/authorization', { method: 'POST', signingIn: true, body });
}

/** The app's request once more: past the sign-in page, when that is needed. */
export function toAuthorizePath(query: string): string {
  return `/oauth2/authorize?${query}`;
}

/** Signs in as somebody else, for the same request. */
export function toOtherAccount(query: string): string {
  return `/signin?${new URLSearchParams({ next: toAuthorizePath(query) })}`;
}
