import { createHash, randomBytes } from 'node:crypto';
import { expect, type Page } from '@playwright/test';

export const PASSWORD = 'staple orbit lantern 42';

export type SignedUp = { project: string; email: string };

/**
 * A person of their own with a project of their own, signed in in this page's browser, from an address of their own: from one address
 * only so many may register in a while. The pages for it have tests of their own.
 */
export async function signUp(page: Page, projectName = 'Riverside Clinic'): Promise<SignedUp> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const email = `ada-${randomBytes(6).toString('hex')}@example.com`;
  const { login } = await post(page, '/auth/newuser', {
    firstName: 'Ada',
    lastName: 'Reyes',
    email,
    password: PASSWORD,
    projectId: 'new',
    codeChallenge,
    codeChallengeMethod: 'S256',
  });
  const { code } = await post(page, '/auth/newproject', { login, projectName });
  return { project: await enter(page, { code, codeVerifier }), email };
}

/** Signs in once more, as another device does. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<string> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const body = { email, password, codeChallenge, codeChallengeMethod: 'S256' };
  const { code } = await post(page, '/auth/login', body);
  return enter(page, { code, codeVerifier });
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
  const headers = { 'x-forwarded-for': `10.${[...randomBytes(3)].join('.')}` };
  const answer = await page.request.post(path, { data, headers });
  expect(answer.status(), await answer.text()).toBe(200);
  return answer.json();
}

/** A write in the page's own session; the page must be of this site (a cookie alone writes nothing from elsewhere). */
export async function write(page: Page, method: 'POST' | 'PATCH', path: string, body: unknown): Promise<string> {
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
