import { getServerSession } from 'next-auth';
import type { SessionClaims } from '#lib/http/session-options.ts';
import { sessionOptions } from '#lib/http/session-options.ts';

export type PageSession = Omit<SessionClaims, 'loginId'>;

/** Who holds the session cookie, for what a page prints around the data. Every datum itself is checked again by the API. */
export async function pageSession(): Promise<PageSession | undefined> {
  const session: unknown = await getServerSession(sessionOptions());
  return isPageSession(session) ? session : undefined;
}

function isPageSession(session: unknown): session is PageSession {
  return (
    typeof session === 'object' &&
    session !== null &&
    'projectId' in session &&
    typeof session.projectId === 'string' &&
    session.projectId !== ''
  );
}
