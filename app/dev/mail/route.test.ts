import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { devMail } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { GET } from './route.ts';

const MAIL = {
  recipient: '<b>x@example.com',
  subject: 'Join <script>',
  html: '<html><head></head>"&</html>',
  text: 'Join',
};

beforeAll(async () => {
  await db().delete(devMail);
  await db()
    .insert(devMail)
    .values({ id: newId(), ...MAIL });
});

function read(remote: string, headers: Record<string, string> = {}) {
  return callAuth('GET', '/dev/mail', { remote, headers });
}

function readAt(url: string) {
  const headers = { 'x-gatehouse-remote': '127.0.0.1' };
  return GET(new Request(url, { headers }), { params: Promise.resolve({}) });
}

describe('200', () => {
  test('JSON for a program on this machine', async () => {
    for (const remote of ['127.0.0.1', '127.0.1.1', '::1']) {
      const { status, body } = await read(remote);
      expect([status, body]).toEqual([200, [expect.objectContaining(MAIL)]]);
    }
  });

  test('a page for a person, in which a mail is text and no script', async () => {
    const { headers, text } = await read('127.0.0.1', { accept: 'text/html', 'sec-fetch-site': 'none' });
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).not.toMatch(/<script|<b>x@/);
  });

  test('under any name of this machine', async () => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'clinic.localhost']) {
      expect((await readAt(`http://${host}/dev/mail`)).status).toBe(200);
    }
  });
});

describe('404', () => {
  test('from any other address', async () => {
    for (const remote of ['10.0.0.1', '::ffff:10.0.0.1', '1.127.0.0', '12.7.0.1', '']) {
      expect((await read(remote)).status).toBe(404);
    }
  });

  test('for a page of another site in this machine’s browser: it could read every link', async () => {
    const strangers: Record<string, string>[] = [
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin: 'http://localhost:8080' },
    ];
    for (const headers of strangers) expect((await read('127.0.0.1', headers)).status).toBe(404);
  });

  test('under a foreign name, as when that name was rebound to this machine', async () => {
    for (const host of ['evil.example.com', 'localhost.evil.example.com', '127.0.0.1.evil.example.com']) {
      expect((await readAt(`http://${host}/dev/mail`)).status).toBe(404);
    }
  });

  test('through a proxy, whose address is a loopback one', async () => {
    expect((await read('127.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(404);
    expect((await read('127.0.0.1', { forwarded: 'for=203.0.113.7' })).status).toBe(404);
    for (const name of ['via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']) {
      expect((await read('127.0.0.1', { [name]: 'x' })).status).toBe(404);
    }
  });

  test('behind a proxy that says nothing of itself: a server with a public name, or that is told of proxies, has no such page', async () => {
    expect((await read('127.0.0.1', { connection: 'close' })).status).toBe(404);
    for (const change of [{ BASE_URL: 'https://gate.example' }, { TRUSTED_PROXIES: 1 }]) {
      const back = changeSettings(change);
      expect((await read('127.0.0.1')).status).toBe(404);
      back();
    }
    expect((await read('127.0.0.1')).status).toBe(200);
  });
});
