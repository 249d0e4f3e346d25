import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { over } from '#lib/domain/authorize/over.ts';
import { consent } from '#lib/infra/db/schema/consent.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, type Owner, redeem, removeMember, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;
let browser: Browser;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
});

test('what was agreed to is listed; taken back, the app’s tokens die and the person is asked again', async () => {
  const [app, other] = [await makeApp(owner), await makeApp(owner, { name: 'Other' })];
  await authorizeWith(browser, ask(other));
  const asked = ask(app, { scope: 'openid email' });
  const code = (await authorizeWith(browser, asked)).searchParams.get('code')!;
  const { body } = await redeem({
    code,
    client_id: app.id,
    redirect_uri: CALLBACK,
    code_verifier: asked.verifier,
  });
  const listed = await browser.send('GET', '/auth/consents');
  expect(listed.body.consents).toEqual([
    { clientId: app.id, name: 'Growth charts', scopes: ['email', 'openid'], grantedAt: expect.any(String) },
    expect.objectContaining({ clientId: other.id, name: 'Other' }),
  ]);
  expect((await browser.send('DELETE', `/auth/consents/${app.id}`)).status).toBe(200);
  expect((await callAuth('GET', '/auth/me', { token: body.access_token })).status).toBe(401);
  expect(sentTo(await browser.open(ask(app).path)).pathname).toBe('/consent');
  expect(sentTo(await browser.open(ask(other).path)).pathname).toBe('/callback');
  expect(await auditOf(owner.projectId, `ClientApplication/${app.id}`)).toContain('consent.withdraw');
  expectOutcome(await browser.send('DELETE', `/auth/consents/${app.id}`), 404);
});

test('nobody takes back what is another’s, and an app sees and ends none', async () => {
  const app = await makeApp(owner);
  await authorizeWith(browser, ask(app));
  const stranger = await openBrowser(await makeOwner());
  expectOutcome(await stranger.send('DELETE', `/auth/consents/${app.id}`), 404);
  expectOutcome(await stranger.send('DELETE', `/auth/consents/${newId()}`), 404);
  const { access: token } = await signIn(owner, { clientId: app.id });
  expectOutcome(await callAuth('GET', '/auth/consents', { token }), 403);
  expectOutcome(await callAuth('DELETE', `/auth/consents/${app.id}`, { token }), 403);
  const headers = { cookie: browser.cookie, 'sec-fetch-site': 'cross-site' };
  expectOutcome(await callAuth('DELETE', `/auth/consents/${app.id}`, { headers }), 401);
  expect(sentTo(await browser.open(ask(app).path)).pathname).toBe('/callback');
});

test('it goes with the app, and with the membership', async () => {
  const person = await makeOwner();
  const here = await openBrowser(person);
  const [stays, gone] = [await makeApp(person), await makeApp(person)];
  for (const app of [stays, gone]) await authorizeWith(here, ask(app));
  const kept = async () => {
    await sweep(over());
    const rows = await db().select().from(consent).where(eq(consent.projectId, person.projectId));
    return rows.map(({ clientId }) => clientId);
  };
  const { access: token } = await signIn(person);
  expect((await callAuth('DELETE', `/fhir/R4/ClientApplication/${gone.id}`, { token })).status).toBe(200);
  expect(await kept()).toEqual([stays.id]);
  await removeMember(person);
  expect(await kept()).toEqual([]);
});
