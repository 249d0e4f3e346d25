import { decodeJwt } from 'jose';
import { encode } from 'next-auth/jwt';
import { env } from '#lib/base/env.ts';
import type { Answer } from './call-api.ts';
import { callAuth } from './call-auth.ts';
import { type Owner, signIn } from './people.ts';

export type Browser = {
  login: string;
  cookie: string;
  /** Follows a link of another site, as a browser does that is signed in to the console. */
  open(path: string): Promise<Answer>;
  /** What a page of ours sends. */
  send(method: string, path: string, body?: unknown): Promise<Answer>;
};

const FROM_ELSEWHERE = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** The browser of somebody who has signed in to the console. */
export async function openBrowser(owner: Owner): Promise<Browser> {
  const { login, access } = await signIn(owner);
  const token = { loginId: login, projectId: String(decodeJwt(access).project) };
  const cookie = `next-auth.session-token=${await encode({ token, secret: env().AUTH_SECRET })}`;
  return {
    login,
    cookie,
    open: (path) => callAuth('GET', path, { headers: { cookie, ...FROM_ELSEWHERE } }),
    send: (method, path, body) =>
      callAuth(method, path, { body, headers: { cookie, 'sec-fetch-site': 'same-origin' } }),
  };
}

/** Where an answer sends the browser. */
export function sentTo({ status, headers, text }: Answer): URL {
  const location = headers.get('location');
  if (status !== 303 || location === null) throw new Error(`No redirect: ${status} ${text}`);
  return new URL(location, env().BASE_URL);
}
