import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { logOf } from '#lib/testing/log-of.ts';
import { makeClient, makeOwner, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { makeFastLane } from './fast-lane.ts';

let server: Server;
let client: TestClient;

beforeAll(async () => {
  const toNext = await makeFastLane(join(import.meta.dirname, '../../../app'), (_, response) => response.end('a page'));
  server = createServer(toNext);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = await makeClient((await makeOwner()).projectId);
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Raw = { status: number; head: string; body: string };

/** The bytes as they are: no client in between that would set anything right. */
function send(lines: string[], body: string | Buffer = ''): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n');
      resolve({
        status: Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]),
        head: head.toLowerCase(),
        body: rest.join('\r\n\r\n'),
      });
    });
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
    socket.write(body);
  });
}

function get(target: string, ...headers: string[]): Promise<Raw> {
  return send([`GET ${target} HTTP/1.1`, 'Host: localhost', ...headers]);
}

describe('the request line', () => {
  test('an API path that is not there is an outcome, a page’s path goes to Next', async () => {
    for (const path of [
      '/auth',
      '/auth/',
      '/auth/nothing',
      '/admin/x/y/z',
      '/oauth2/../nothing',
      '/fhir/R5/Patient',
      '/auth//me',
    ]) {
      const { status, head, body } = await get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(head).toContain('application/fhir+json');
      expect(JSON.parse(body).resourceType).toBe('OperationOutcome');
    }
    for (const path of ['/', '/signin', '/authentic']) expect((await get(path)).body).toContain('a page');
  });

  test('%00, .., double escapes and broken ones are 401, 404 or 400, never a fault of ours', async () => {
    const paths = [
      '/fhir/R4/Patient/%00',
      '/fhir/R4/Patient/..%2f..%2fetc',
      '/fhir/R4/Patient/%252e',
      '/fhir/R4/Patient/%',
      '/auth/%2e%2e/admin',
    ];
    for (const path of [...paths, '/fhir/R4/Patient?name=%00', `/fhir/R4/Patient/${'x'.repeat(10_000)}`]) {
      const { status } = await get(path, `Authorization: ${client.basic}`);
      expect([path.slice(0, 60), status >= 400 && status < 500]).toEqual([path.slice(0, 60), true]);
    }
  });

  test('TRACE and every other method that nobody has is a 405, of a page as of the API', async () => {
    for (const line of ['TRACE /auth/me', 'TRACE /signin', 'PROPFIND /', 'LINK /fhir/R4/Patient']) {
      const { status, head, body } = await send([`${line} HTTP/1.1`, 'Host: localhost']);
      expect([line, status, JSON.parse(body).id]).toEqual([line, 405, 'method-not-allowed']);
      expect(head).toMatch(/allow: .*(get|post)/);
    }
  });

  test('what Next cannot decode never reaches it, nor what only the peer has; what reaches it has a request id', async () => {
    const absent = ['/keyvalue/v1/a', '/cds-services', '/cds-services/x', '/fhircast/STU3'];
    for (const path of ['/p/%ff', '/setpassword/%ff', '/signin%', '/%c0%ae', ...absent]) {
      const { status, body } = await get(path);
      expect([path, status, JSON.parse(body).resourceType]).toEqual([path, 404, 'OperationOutcome']);
    }
    const star = await send(['OPTIONS * HTTP/1.1', 'Host: localhost']);
    expect(star.status).toBeGreaterThanOrEqual(400);
    expect(star.status).toBeLessThan(500);
    for (const target of ['/signin', '/api/auth/session']) expect((await get(target)).head).toMatch(/x-request-id: \S/);
    const preflight = await send(['OPTIONS /auth/me HTTP/1.1', 'Host: localhost']);
    expect(preflight.head).toMatch(/x-request-id: \S/);
  });

  test('an absolute target is its path', async () => {
    expect((await get('http://evil.example.com/auth/me')).status).toBe(401);
  });
});

describe('the Host header', () => {
  test('of whatever name is answered, and stands in nothing that we say', async () => {
    const { status, head, body } = await send([
      'GET /.well-known/openid-configuration HTTP/1.1',
      'Host: evil.example.com',
    ]);
    expect(status).toBe(200);
    expect(JSON.parse(body).issuer).toBe('http://localhost:3999');
    expect(head + body).not.toContain('evil');
    const denied = await send(['GET /auth/me HTTP/1.1', 'Host: evil.example.com']);
    expect(denied.head).toContain('realm="http://localhost:3999"');
  });

  test('is not asked of HTTP/1.0, which balancers probe with', async () => {
    const { status } = await send(['GET /.well-known/openid-configuration HTTP/1.0']);
    expect(status).toBe(200);
  });

  test('that is none or broken is 400', async () => {
    for (const hosts of [[], ['Host: a b'], ['Host: evil.example.com/x?'], ['Host: @']]) {
      expect([hosts, (await send(['GET /auth/me HTTP/1.1', ...hosts])).status]).toEqual([hosts, 400]);
    }
  });
});

describe('headers', () => {
  test('the caller’s address is the socket’s, whatever they say', async () => {
    const spoof = ['X-Gatehouse-Remote: 10.6.6.6', 'x-gatehouse-remote: 10.6.6.7', 'X-Forwarded-For: 10.6.6.8'];
    const form = 'grant_type=client_credentials';
    const type = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`];
    const head = [
      'POST /oauth2/token HTTP/1.1',
      'Host: localhost',
      `Authorization: ${client.basic}`,
      ...type,
      ...spoof,
    ];
    expect((await send(head, form)).status).toBe(200);
    const [event] = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, client.profile))
      .orderBy(desc(auditEvent.at))
      .limit(1);
    expect(event).toMatchObject({ action: 'login.client', remoteAddress: '127.0.0.1' });
  });

  test('an origin comes back as it was, or not at all: it makes no header of its own', async () => {
    const { head } = await get('/auth/me', 'Origin: https://app.example.com');
    expect(head).toContain('access-control-allow-origin: https://app.example.com');
    for (const bad of ['Origin: x\r\n set-cookie: a=b', 'Origin: x\u0000y']) {
      const answer = await get('/auth/me', bad);
      expect(answer.head).not.toMatch(/\r\nset-cookie/);
    }
  });

  test('beyond 16 KiB are refused before anything of ours runs', async () => {
    expect((await get('/auth/me', `Authorization: Bearer ${'x'.repeat(20_000)}`)).status).toBe(431);
  });

  test('a body whose length is said in two ways is refused', async () => {
    const both = ['POST /auth/login HTTP/1.1', 'Host: localhost', 'Content-Length: 5', 'Transfer-Encoding: chunked'];
    expect((await send(both, '0\r\n\r\n')).status).toBe(400);
    const twice = ['POST /auth/login HTTP/1.1', 'Host: localhost', 'Content-Length: 2', 'Content-Length: 3'];
    expect((await send(twice, '{}')).status).toBe(400);
  });
});

describe('a body', () => {
  test('in chunks is 413 where it passes the limit', async () => {
    const head = [
      'POST /auth/login HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(0x100000, 0x20), Buffer.from('\r\n')]);
    const { status, body } = await send(head, Buffer.concat([chunk, chunk, Buffer.from('0\r\n\r\n')]));
    expect([status, JSON.parse(body).id]).toEqual([413, 'content-too-large']);
  });

  test('of a GET is ignored, as is its type', async () => {
    const head = [
      'GET /auth/me HTTP/1.1',
      'Host: localhost',
      'Content-Type: text/x',
      'Content-Length: 1',
      `Authorization: ${client.basic}`,
    ];
    expect((await send(head, '{')).status).toBe(200);
  });
});

test('the log says the route, and nothing of what fills its parameters', async () => {
  const lines = await logOf(async () => {
    await get('/fhir/R4/Patient/ada-lovelace', `Authorization: ${client.basic}`);
    await get('/auth/nothing');
  });
  const routes = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).route);
  expect(routes).toEqual(['/fhir/R4/[type]/[id]', '/auth/[...path]']);
  expect(lines).not.toContain('lovelace');
});

describe('a body that is cut off', () => {
  /** What is logged of a request whose sender goes away in the middle of it. */
  function logOfHalf(head: string[], half: string): Promise<string> {
    return logOf(async (lines) => {
      const arrived = new Promise((resolve) => {
        server.once('request', resolve);
      });
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(`${[...head, 'Host: localhost'].join('\r\n')}\r\n\r\n${half}`);
      await arrived;
      socket.destroy();
      await expect.poll(() => lines.join('')).toContain('"status"');
    });
  }

  const length = 'Content-Length: 1000';
  const chunked = 'Transfer-Encoding: chunked';

  test.each([
    ['JSON of a known length', ['POST /auth/login HTTP/1.1', 'Content-Type: application/json', length], '{"email":'],
    ['JSON in chunks', ['POST /auth/login HTTP/1.1', 'Content-Type: application/json', chunked], '9\r\n{"email":'],
    ['a form', ['POST /oauth2/token HTTP/1.1', 'Content-Type: application/x-www-form-urlencoded', length], 'grant_'],
  ])('is the caller’s, who is gone, and no fault of ours: %s', async (_, head, half) => {
    const lines = await logOfHalf(head, half);
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([expect.objectContaining({ level: 30, method: 'POST', status: 400 })]);
  });

  test('is so too while its caller is being asked for', async () => {
    const head = ['POST /fhir/R4/Patient HTTP/1.1', 'Content-Type: application/fhir+json', length];
    const lines = await logOfHalf([...head, `Authorization: ${client.basic}`], '{"resourceType":');
    expect(lines).toContain('"status":400');
    expect(lines).not.toContain('"level":50');
  });
});

test('HEAD has no body, OPTIONS no need of a token, and another method is 405', async () => {
  const call = (method: string) => send([`${method} /auth/me HTTP/1.1`, 'Host: localhost']);
  expect([(await call('HEAD')).status, (await call('HEAD')).body]).toEqual([401, '']);
  expect((await call('OPTIONS')).status).toBe(204);
  for (const method of ['POST', 'PROPFIND', 'TRACE']) {
    const { status, head } = await call(method);
    expect([method, status]).toEqual([method, 405]);
    expect(head).toContain('allow: get, head, options');
  }
});
