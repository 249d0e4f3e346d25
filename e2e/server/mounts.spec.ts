import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, test } from '../fixtures.ts';
import { keptByServer, serverDatabaseUrl } from '../server-database.ts';

const PORT = Number(process.env.E2E_PORT) + 1;
const NEXT = `http://localhost:${PORT}`;

const JSON_TYPE = { 'content-type': 'application/json' };

const REQUESTS: [string, string, RequestInit?][] = [
  ['GET', '/fhir/R4/metadata'],
  ['POST', '/admin/Project/', { body: '{"resourceType":"Patient"}', headers: JSON_TYPE }],
  ['POST', '/admin/Project', { body: '{"resourceType":"Project","name":" "}', headers: JSON_TYPE }],
  ['GET', '/fhir/R4/Bot/%24execute?identifier=nobody'],
  ['GET', '/fhir/R4/Bot/$execute?identifier=a|b'],
  ['GET', '/fhir/R4/Bot/8a9a8e0e-0000-4000-8000-000000000000/%24execute'],
  ['GET', '/fhir/R4/ProjectMembership?profile-type%3Anot=Bot'],
  ['GET', '/fhir/R4/ProjectMembership?profile-type:not=Bot,Patient'],
  ['GET', '/fhir/R4/Patient?identifier=urn:x|1'],
  ['GET', '/fhir/R4/Nonsense'],
  ['GET', '/fhir/R4/Patient/1/nonsense/2/3'],
  ['GET', '/admin/nonsense'],
  ['DELETE', '/oauth2/token'],
  ['POST', '/oauth2/token', { body: '{}', headers: JSON_TYPE }],
];

test('after a page, too, a client that offers another protocol is answered in this one', async ({ baseURL, page }) => {
  await page.goto('/signin');
  for (const protocol of ['h2c', 'websocket']) {
    const offer = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: protocol,
      'http2-settings': 'AAMAAABkAAQCAAAAAAIAAAAA',
    };
    const asked = get(`${baseURL}/healthcheck`, { headers: offer, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect([protocol, answer.statusCode]).toEqual([protocol, 200]);
    answer.destroy();
  }
});

test('what next-auth would call our fault is the caller’s', async ({ baseURL }) => {
  const callback = `${baseURL}/api/auth/callback/credentials`;
  expect((await fetch(callback)).status).toBe(405);
  expect((await fetch(callback, { method: 'POST', headers: JSON_TYPE, body: '{' })).status).toBe(400);
});

test('Next’s own mount answers as the fast lane does', async ({ baseURL, superadminToken }) => {
  const stop = await startNext(baseURL!);
  try {
    for (const [method, path, init] of REQUESTS) {
      const [lane, own] = await Promise.all(
        [baseURL!, NEXT].map((base) => answerOf(base, method, path, superadminToken, init)),
      );
      expect(own, `${method} ${path}`).toEqual(lane);
      expect(lane!.type, `${method} ${path}`).toContain('json');
    }
  } finally {
    await stop();
  }
});

/** Of this test alone: each worker runs hooks of the file for itself, and one that is done would end what another still asks. */
async function startNext(baseURL: string): Promise<() => Promise<void>> {
  const next = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', String(PORT)], {
    env: {
      ...process.env,
      DATABASE_URL: serverDatabaseUrl(),
      AUTH_SECRET: keptByServer('auth-secret'),
      BASE_URL: baseURL,
      PORT: String(PORT),
      NODE_ENV: 'production',
    },
    stdio: 'ignore',
  });
  const ended = once(next, 'exit');
  const status = () =>
    fetch(`${NEXT}/healthcheck`).then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status, { timeout: 40_000 }).toBe(200);
  return async () => {
    next.kill();
    await ended;
  };
}

async function answerOf(base: string, method: string, path: string, token: string, init: RequestInit = {}) {
  const answer = await fetch(base + path, {
    ...init,
    method,
    redirect: 'manual',
    // What is sent, however it is packed: Next packs by itself.
    headers: { ...init.headers, authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  });
  const text = await answer.text();
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    allow: answer.headers.get('allow'),
    text: path.includes('metadata') ? '' : text,
  };
}
