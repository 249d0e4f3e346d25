import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { PASSWORD, signUp } from '../sign-up.ts';

type Refreshed = { status: number; token: string };

test('twenty refreshes at once in two tabs with one token log nobody out, and all go on with one successor', async ({
  page,
  context,
}) => {
  const { email } = await signUp(page);
  await page.goto('/account');
  const verifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const started = await page.request.post('/auth/login', {
    data: { email, password: PASSWORD, scope: 'openid offline', codeChallenge, codeChallengeMethod: 'S256' },
  });
  const form = { grant_type: 'authorization_code', code: (await started.json()).code, code_verifier: verifier };
  const first = await (await page.request.post('/oauth2/token', { form })).json();
  const other = await context.newPage();
  await other.goto('/account');
  const answers = (await Promise.all([page, other].map((tab) => refreshTen(tab, first.refresh_token)))).flat();
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  const successors = new Set(answers.map(({ token }) => token));
  for (const token of successors) expect((await refreshTen(page, token))[0]?.status).toBe(200);
});

function refreshTen(tab: Page, token: string): Promise<Refreshed[]> {
  return tab.evaluate(async (refreshToken) => {
    const one = async () => {
      const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
      const answer = await fetch('/oauth2/token', { method: 'POST', body });
      return { status: answer.status, token: (await answer.json()).refresh_token as string };
    };
    return Promise.all(Array.from({ length: 10 }, one));
  }, token);
}
