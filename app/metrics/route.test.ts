import { describe, expect, onTestFinished, test } from 'vitest';
import type { Env } from '#lib/base/env.ts';
import { expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';

const TOKEN = 'a-token-for-metrics';
const HERE = '127.0.0.1';
const ELSEWHERE = '10.0.0.1';

function settings(changes: Partial<Env>): void {
  onTestFinished(changeSettings(changes));
}

function read(remote: string, headers: Record<string, string> = {}) {
  return callAuth('GET', '/metrics', { remote, headers });
}

function readWith(remote: string, token: string, headers: Record<string, string> = {}) {
  return read(remote, { ...headers, authorization: `Bearer ${token}` });
}

describe('200', () => {
  test('Prometheus’ text for a program on this machine', async () => {
    const { status, headers, text } = await read(HERE);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).toMatch(/^# TYPE gatehouse_http_request_duration_seconds histogram$/m);
  });

  test('for who shows the token, from wherever, behind a proxy and under a public name, too', async () => {
    settings({ METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: 1, BASE_URL: 'https://gate.example' });
    for (const remote of [HERE, ELSEWHERE]) {
      expect((await readWith(remote, TOKEN, { 'x-forwarded-for': remote })).status).toBe(200);
    }
  });

  test('on this machine without the token, though there is one', async () => {
    settings({ METRICS_TOKEN: TOKEN });
    expect((await read(HERE)).status).toBe(200);
  });
});

describe('401', () => {
  test('where there is a token, for who shows none or another one', async () => {
    settings({ METRICS_TOKEN: TOKEN });
    const answers = [
      await read(ELSEWHERE),
      await readWith(ELSEWHERE, `${TOKEN}x`),
      await readWith(ELSEWHERE, TOKEN.slice(1)),
      await readWith(HERE, 'wrong'),
      await read(ELSEWHERE, { authorization: `Basic ${TOKEN}` }),
    ];
    for (const answer of answers) {
      expectOutcome(answer, 401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^(Bearer|Basic) realm=/);
    }
  });

  test('what a trusted proxy sends from this machine is not from this machine', async () => {
    settings({ METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: 1 });
    expectOutcome(await read(HERE), 401);
    expectOutcome(await read(HERE, { 'x-forwarded-for': HERE }), 401);
  });
});

describe('404, where there is no token', () => {
  test('from any other address', async () => {
    for (const remote of [ELSEWHERE, '::ffff:10.0.0.1', '1.127.0.0', '']) expectOutcome(await read(remote), 404);
  });

  test('with any token', async () => {
    expectOutcome(await readWith(ELSEWHERE, ''), 404);
    expectOutcome(await readWith(ELSEWHERE, TOKEN), 404);
    expectOutcome(await readWith(HERE, TOKEN), 404);
  });

  test('through a proxy, whether it is trusted, says that it is one, or only that the server has a public name', async () => {
    const said = Object.entries({ 'x-forwarded-for': HERE, via: '1.1 gate', forwarded: 'for=127.0.0.1' });
    for (const [name, value] of said) expectOutcome(await read(HERE, { [name]: value }), 404);
    settings({ TRUSTED_PROXIES: 1 });
    expectOutcome(await read(HERE), 404);
    settings({ TRUSTED_PROXIES: 0, BASE_URL: 'https://gate.example' });
    expectOutcome(await read(HERE), 404);
  });

  test('for a page of another site in a browser on this machine', async () => {
    expectOutcome(await read(HERE, { origin: 'https://evil.example' }), 404);
    expectOutcome(await read(HERE, { 'sec-fetch-site': 'cross-site' }), 404);
  });
});

test('405 for all but GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await callAuth(method, '/metrics', { remote: HERE });
    expectOutcome(answer, 405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  }
  const head = await callAuth('HEAD', '/metrics', { remote: HERE });
  expect([head.status, head.text]).toEqual([200, '']);
});
