import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { allow, ask, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeOwner, type Owner, redeem, type TestClient, toBasic } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let owner: Owner;
let browser: Browser;
let app: TestClient;

beforeAll(async () => {
  owner = await makeOwner();
  browser = await openBrowser(owner);
  app = await makeApp(owner);
});

function push(query: string, headers: Record<string, string> = { authorization: app.basic }) {
  return callAuth('POST', '/oauth2/par', { body: new URLSearchParams(query), headers });
}

function pathOf(requestUri: string, clientId = app.id): string {
  return `/oauth2/authorize?${new URLSearchParams({ client_id: clientId, request_uri: requestUri })}`;
}

async function pushed(change: Record<string, string | undefined> = {}) {
  const asked = ask(app, change);
  const { status, body, headers, text } = await push(asked.query);
  expect(status, text).toBe(201);
  return { asked, body, headers, path: pathOf(body.request_uri) };
}

describe('201', () => {
  test('a name for it, for a minute and a half; the way through consent is the same, without the request in any address', async () => {
    const { asked, body, headers, path } = await pushed({ scope: 'openid offline', login_hint: 'someone@example.com' });
    expect(body).toEqual({ request_uri: expect.stringMatching(/^urn:ietf:params:oauth:request_uri:/), expires_in: 90 });
    expect(headers.get('cache-control')).toBe('no-store');
    const page = sentTo(await browser.open(path));
    expect([page.pathname, [...page.searchParams.keys()]]).toEqual(['/consent', ['client_id', 'request_uri']]);
    const seen = await browser.send('GET', `/auth/authorization${page.search}`);
    expect(seen.body).toMatchObject({ sendsTo: 'https://app.example.com', scopes: ['openid', 'offline'] });
    const given = await allow(browser, page);
    expect(given.searchParams.get('state')).toBe('s-1');
    const code = given.searchParams.get('code')!;
    const form = { code, client_id: app.id, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    // It has shown who it is, and does so again.
    expect((await redeem(form)).body.error).toBe('invalid_client');
    expect((await redeem({ ...form, client_secret: app.secret })).status).toBe(200);
    await expect(allow(browser, page)).rejects.toThrow('request_uri');
  });

  test('a person who must sign in comes back to it', async () => {
    const { path } = await pushed({ prompt: 'login', scope: 'openid phone' });
    const page = sentTo(await browser.open(path));
    expect(page.pathname).toBe('/signin');
    const back = new URL(page.searchParams.get('next')!, 'http://localhost:3999');
    expect([...back.searchParams.keys()]).toEqual(['client_id', 'request_uri']);
    const fresh = await openBrowser(owner);
    expect(sentTo(await fresh.open(`${back.pathname}${back.search}`)).pathname).toBe('/consent');
  });

  test('a public client names itself, and its code needs no secret', async () => {
    const own = await makeApp(owner);
    const asked = ask(own);
    const { status, body } = await push(asked.query, {});
    expect(status).toBe(201);
    const given = await allow(browser, sentTo(await browser.open(pathOf(body.request_uri, own.id))));
    const code = given.searchParams.get('code')!;
    const form = { code, client_id: own.id, redirect_uri: CALLBACK, code_verifier: asked.verifier };
    expect((await redeem(form)).status).toBe(200);
  });
});

describe('refused', () => {
  test('used twice, even at the same moment; by another client, by another name; after its time', async () => {
    const { path, body } = await pushed();
    const other = await makeApp(owner);
    for (const wrong of [
      pathOf(body.request_uri, other.id),
      pathOf(`${body.request_uri}x`),
      pathOf('urn:ietf:params:oauth:request_uri:x'),
      `${path}&request_uri=${encodeURIComponent(body.request_uri)}`,
      `${path}&client_id=${app.id}`,
    ]) {
      expect((await browser.open(wrong)).status, wrong).toBe(400);
    }
    const answers = await Promise.all([1, 2, 3].map(() => browser.open(path)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400]);
    const late = await pushed();
    await db().execute(sql`update pushed_request set expires_at = now() where project_id = ${owner.projectId}`);
    expect((await browser.open(late.path)).status).toBe(400);
  });

  test('what stands beside the name in the address changes nothing', async () => {
    const { path } = await pushed({ state: 'kept', prompt: 'consent' });
    const page = sentTo(await browser.open(`${path}&redirect_uri=https://evil.test/&scope=openid+email&state=x`));
    const seen = await browser.send('GET', `/auth/authorization${page.search}&scope=email`);
    expect(seen.body.scopes).toEqual(['openid']);
    expect((await allow(browser, page)).href).toMatch(/^https:\/\/app\.example\.com\/callback\?.*state=kept/);
  });

  test('a client that does not show who it is, or is another', async () => {
    const { query } = ask(app);
    const other = await makeApp(owner);
    const answers = [
      await push(query, { authorization: toBasic(app.id, 'wrong') }),
      await push(query, { authorization: other.basic }),
      await push(`${query}&client_secret=wrong`, {}),
      await push(ask({ id: 'x' }).query, {}),
      await push(ask({ id: 'medplum-cli' }, { redirect_uri: 'http://localhost:9615' }).query, {}),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [401, 'invalid_client'],
      [401, 'invalid_client'],
      [400, 'invalid_client'],
      [400, 'invalid_client'],
      [400, 'invalid_client'],
    ]);
  });

  test('what a browser could not bring either', async () => {
    const wrong: [Record<string, string | undefined>, string][] = [
      [{ redirect_uri: 'https://evil.test/' }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: undefined }, 'invalid_scope'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
      [{ request: 'x' }, 'request_not_supported'],
      [{ state: 'x'.repeat(3000) }, 'invalid_request'],
    ];
    for (const [change, error] of wrong) {
      const { status, body } = await push(ask(app, change).query);
      expect([change, status, body.error]).toEqual([change, 400, error]);
    }
    expect((await push(`${ask(app).query}&state=again`)).body.error).toBe('invalid_request');
    const long = Array.from({ length: 10 }, (_, index) => [`x${index}`, 'x'.repeat(2000)]);
    expect((await push(`${ask(app).query}&${new URLSearchParams(long)}`)).status).toBe(413);
  });
});
