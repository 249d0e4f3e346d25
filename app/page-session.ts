import { cookies, headers } from 'next/headers';
import { getServerSession } from 'next-auth';
import type { Offers } from '#components/frame/screens.ts';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { within } from '#lib/base/within.ts';
import type { FrameMe } from '#lib/client/frame/me.ts';
import { RAIL_COOKIE, toRailNarrow } from '#lib/client/frame/rail.ts';
import { askOwnApi } from '#lib/http/door/own-api.ts';
import type { SessionClaims } from '#lib/http/door/session-options.ts';
import { sessionOptions } from '#lib/http/door/session-options.ts';

export type PageSession = Omit<SessionClaims, 'loginId'>;

/** Who holds the session cookie, as they were called when they signed in. Every datum itself is checked again by the API. */
export async function pageSession(): Promise<PageSession | undefined> {
  const session: unknown = await getServerSession(sessionOptions());
  return isPageSession(session) ? session : undefined;
}

export type FrameSession = {
  project: { id: string; name: string };
  person: string;
  /** Undefined when the API had no answer: names are then the cookie's, and the role is unknown. */
  me: FrameMe | undefined;
  railNarrow: boolean;
  offers: Offers;
};

/** What the frame prints around the data, with role and names as of now; undefined when the login behind the cookie is gone. */
export async function frameSession(): Promise<FrameSession | undefined> {
  const session = await pageSession();
  if (!session) return undefined;
  const me = await readMe();
  if (me === 'ended') return undefined;
  return {
    project: { id: session.projectId, name: me?.project.name ?? session.projectName },
    person: me?.membership.profile.display ?? session.profileName,
    me,
    railNarrow: toRailNarrow((await cookies()).get(RAIL_COOKIE)?.value),
    offers: { hl7: env().MLLP_PORTS !== undefined || env().MLLP_TLS_PORT !== undefined },
  };
}

/** Past this a page shows the cookie's names instead. */
const LIMIT_MS = 3000;

/** Asks our own API, as the browser would. */
async function readMe(): Promise<FrameMe | 'ended' | undefined> {
  const caller = await headers();
  try {
    const asked = askOwnApi('/auth/me', { headers: { cookie: caller.get('cookie') ?? '' } }, caller);
    const response = await within(LIMIT_MS, asked);
    if (response.status === 401) return 'ended';
    if (!response.ok) return undefined;
    const { project, membership, profile, limited, security, breakGlass } = (await response.json()) as FrameMe;
    return { project, membership, profile, limited, security, breakGlass };
  } catch (error) {
    log.warn({ err: error }, 'the frame of a page could not read who is signed in');
    return undefined;
  }
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
