import { createHash, randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { makeOwner } from './owner.ts';
import { sharedServer } from './server-database.ts';

export const PASSWORD = 'staple orbit lantern 42';

export type SignedUp = { user: string; project: string; email: string; membership: string };

/** A person of their own with a project of their own, signed in in this page's browser. */
export async function signUp(page: Page, projectName = 'Riverside Clinic'): Promise<SignedUp> {
  const { session, ...owner } = await makeOwner(projectName, PASSWORD);
  await page.context().addCookies([{ name: 'next-auth.session-token', value: session, url: sharedServer() }]);
  return owner;
}

/** As `signUp`, by HTTP alone: on a server that is not the shared one. */
export async function signUpElsewhere(page: Page): Promise<string> {
  const { codeVerifier, proof } = pkce();
  const email = `ada-${randomBytes(6).toString('hex')}@example.com`;
  const person = { firstName: 'Ada', lastName: 'Reyes', email, password: PASSWORD, projectId: 'new' };
  const { login } = await post(page, '/auth/newuser', { ...person, ...proof });
  const { code } = await post(page, '/auth/newproject', { login, projectName: 'Riverside Clinic' });
  return enter(page, { code, codeVerifier });
}

/** Signs in once more, as another device does. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<string> {
  const { codeVerifier, proof } = pkce();
  const { code } = await post(page, '/auth/login', { email, password, ...proof });
  return enter(page, { code, codeVerifier });
}

function pkce() {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  return { codeVerifier, proof: { codeChallenge, codeChallengeMethod: 'S256' } };
}

/** Trades the code for the session cookie, as the sign-in page does. */
async function enter(page: Page, proof: { code?: string; codeVerifier: string }): Promise<string> {
  const { csrfToken } = await (await page.request.get('/api/auth/csrf')).json();
  const form = { csrfToken, code: proof.code!, codeVerifier: proof.codeVerifier, json: 'true' };
  expect((await page.request.post('/api/auth/callback/credentials', { form })).status()).toBe(200);
  const { projectId } = await (await page.request.get('/api/auth/session')).json();
  return projectId;
}

async function post(page: Page, path: string, data: unknown): Promise<{ login: string; code?: string }> {
  const answer = await page.request.post(path, { data });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

/** A write in the page's own session; the page must be of this site (a cookie alone writes nothing from elsewhere). */
export async function write(
  page: Page,
  method: 'POST' | 'PUT' | 'PATCH',
  path: string,
  body: unknown,
): Promise<string> {
  const answer = await page.evaluate(
    async (call) => {
      const type = call.method === 'PATCH' ? 'application/json-patch+json' : 'application/json';
      const response = await fetch(call.path, {
        method: call.method,
        headers: { 'content-type': type },
        body: JSON.stringify(call.body),
      });
      return { ok: response.ok, text: await response.text(), requestId: response.headers.get('x-request-id') ?? '' };
    },
    { method, path, body },
  );
  expect(answer.ok, answer.text).toBe(true);
  return answer.requestId;
}
