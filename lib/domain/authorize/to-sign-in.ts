import type { Choice } from '../sign-in/find-memberships.ts';
import { type AuthorizeRequest, SIGNED_IN_SINCE } from './authorize-request.ts';

/** The request as the browser carries it: itself, or the name under which it is kept. */
type Carried = (next: URLSearchParams) => Promise<URLSearchParams>;

/** What asks for a fresh sign-in asks for one since now, so that it is met by the next one, or refused when that is somebody else’s. */
export function toSignIn(
  params: URLSearchParams,
  { app, prompt, signedInSince, idTokenHint }: AuthorizeRequest,
  carried: Carried,
): Promise<string> {
  const isFresh = prompt.has('login') || signedInSince !== undefined || idTokenHint !== undefined;
  return toPage(params, { isFresh, projectId: app.client?.projectId, prompt }, carried);
}

/** For a session that has not proven what this membership asks for: the next one, of that project, does. */
export function toSignInAgain(
  params: URLSearchParams,
  { prompt }: AuthorizeRequest,
  { projectId }: Choice,
  carried: Carried,
): Promise<string> {
  return toPage(params, { isFresh: true, projectId, prompt }, carried);
}

type Way = { isFresh: boolean; projectId: string | undefined; prompt: AuthorizeRequest['prompt'] };

async function toPage(params: URLSearchParams, { isFresh, projectId, prompt }: Way, carried: Carried): Promise<string> {
  const again = new URLSearchParams(params);
  if (isFresh) {
    again.set(SIGNED_IN_SINCE, String(Math.floor(Date.now() / 1000)));
    again.delete('max_age');
    again.delete('prompt');
    const rest = [...prompt].filter((name) => name !== 'login');
    if (rest.length > 0) again.set('prompt', rest.join(' '));
  }
  const next = new URLSearchParams({ next: `/oauth2/authorize?${await carried(again)}` });
  if (projectId) next.set('project', projectId);
  const hint = params.get('login_hint');
  if (hint) next.set('email', hint);
  return `/signin?${next}`;
}
