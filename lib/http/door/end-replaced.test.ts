import { afterEach, expect, test } from 'vitest';
import { openBrowser } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, signIn } from '#lib/testing/people.ts';
import { endReplaced } from './end-replaced.ts';
import { offerOwnApi, withdrawOwnApi } from './own-api.ts';

afterEach(withdrawOwnApi);

/** Our API, as the server offers it to its own pages. */
function offer(): void {
  offerOwnApi(async (request) => {
    const { pathname } = new URL(request.url);
    const headers = { authorization: request.headers.get('authorization') ?? '' };
    const answer = await callAuth(request.method, pathname, { headers, body: await request.json() });
    return new Response(answer.text, { status: answer.status });
  });
}

const isIn = async (browser: { send(method: string, path: string): Promise<{ status: number }> }) =>
  (await browser.send('GET', '/auth/me')).status === 200;

test('the session that the same person had in the same browser ends with a new sign-in there; no other, and nobody else’s', async () => {
  offer();
  const owner = await makeOwner();
  const [browser, elsewhere, other] = await Promise.all([
    openBrowser(owner),
    openBrowser(owner),
    openBrowser(await makeOwner()),
  ]);
  const { login, access } = await signIn(owner);
  const next = { loginId: login, accessToken: access };
  await endReplaced(next, new Headers({ cookie: other.cookie }));
  await endReplaced(next, new Headers());
  await endReplaced(next, new Headers({ cookie: 'next-auth.session-token=nonsense' }));
  expect([await isIn(browser), await isIn(elsewhere), await isIn(other)]).toEqual([true, true, true]);
  await endReplaced(next, new Headers({ cookie: browser.cookie }));
  expect([await isIn(browser), await isIn(elsewhere), await isIn(other)]).toEqual([false, true, true]);
  expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(200);
});
