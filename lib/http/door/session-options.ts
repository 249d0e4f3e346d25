import { decodeJwt } from 'jose';
import type { NextAuthOptions, User } from 'next-auth';
import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { endReplaced } from './end-replaced.ts';
import { askOwnApi } from './own-api.ts';
import { openSession } from './session-cookie.ts';

/** Two weeks, as long as a refresh token lives (contract §1.3). */
const MAX_AGE_SECONDS = 14 * 24 * 60 * 60;

/** What the encrypted session cookie holds, and nothing more: no token is kept once the login id is known. */
export type SessionClaims = {
  loginId: string;
  profile: string;
  profileName: string;
  projectId: string;
  projectName: string;
};

/** Built on demand, because a build has no settings. */
export function sessionOptions(): NextAuthOptions {
  const { AUTH_SECRET, BASE_URL } = env();
  // next-auth 4 reads its own address from nowhere else.
  process.env.NEXTAUTH_URL ??= BASE_URL;
  return {
    secret: AUTH_SECRET,
    session: { strategy: 'jwt', maxAge: MAX_AGE_SECONDS },
    jwt: { decode: ({ token }) => openSession(token) },
    pages: { signIn: '/signin', error: '/signin' },
    providers: [
      {
        id: 'credentials',
        name: 'Gatehouse',
        type: 'credentials',
        credentials: { code: {}, codeVerifier: {}, further: {} },
        authorize: (credentials, { headers }) => redeemCode(credentials, new Headers(headers)),
      },
    ],
    callbacks: {
      jwt: ({ token, user }) => (user ? { ...toClaims(user) } : token),
      // The browser may read this object: the login id stays in the cookie.
      session: ({ session, token }) => {
        const { profile, profileName, projectId, projectName } = toClaims(token);
        return { expires: session.expires, profile, profileName, projectId, projectName };
      },
    },
  };
}

/** `further`: no sign-in anew, but the same one in another project: it does not end the one before. */
const credentialsShape = z.object({
  code: z.string().min(1),
  codeVerifier: z.string().min(1),
  further: z.literal('yes').optional(),
});

const tokenShape = z.object({
  access_token: z.string(),
  project: z.object({ reference: z.string(), display: z.string().optional() }),
  profile: z.object({ reference: z.string(), display: z.string().optional() }),
});

/** Trades a one-time code for its login at our own token endpoint (RFC 6749 §4.1.3 with PKCE). */
async function redeemCode(credentials: unknown, caller: Headers): Promise<(User & SessionClaims) | null> {
  const given = credentialsShape.safeParse(credentials);
  if (!given.success) return null;
  const { code, codeVerifier, further } = given.data;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: codeVerifier });
  const response = await askOwnApi('/oauth2/token', { method: 'POST', body }, caller);
  const answer = tokenShape.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !answer.success) {
    log.warn({ status: response.status }, 'sign-in code refused');
    return null;
  }
  const { access_token, project, profile } = answer.data;
  const loginId = String(decodeJwt(access_token).login_id);
  if (!further) await endReplaced({ loginId, accessToken: access_token }, caller);
  return {
    id: loginId,
    loginId,
    profile: profile.reference,
    profileName: profile.display ?? profile.reference,
    projectId: project.reference.split('/')[1] ?? '',
    projectName: project.display ?? 'Project',
  };
}

function toClaims(source: object): SessionClaims {
  const read = (name: keyof SessionClaims) => String((source as Partial<SessionClaims>)[name] ?? '');
  return {
    loginId: read('loginId'),
    profile: read('profile'),
    profileName: read('profileName'),
    projectId: read('projectId'),
    projectName: read('projectName'),
  };
}
