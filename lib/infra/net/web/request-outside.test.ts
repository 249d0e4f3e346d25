import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from 'node:net';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { OutsideFailed } from './outside-failed.ts';
import { type OutsideLimits, requestOutside } from './request-outside.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const MIB = 1024 * 1024;
let server: Server;
let other: Server;
/** Speaks whatever it is told, and no HTTP. */
let raw: SocketServer;
let rawText = '';
let handler: Handler = () => {};
let asked: string[] = [];
let restore = () => {};

beforeAll(async () => {
  const answer: Handler = (request, response) => {
    asked.push(`${request.method} ${request.headers.host} ${request.url}`);
    handler(request, response);
  };
  server = createServer(answer);
  other = createServer(answer);
  raw = createSocketServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(rawText));
  });
  for (const each of [server, other, raw])
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', () => resolve()));
});
afterAll(() => {
  for (const each of [server, other, raw]) each.close();
});
beforeEach(() => {
  restore = changeSettings({ FETCH_PRIVATE_ADDRESSES: true });
  asked = [];
});
afterEach(() => restore());

const at = (path: string, of: { address(): unknown } = server) =>
  `http://127.0.0.1:${(of.address() as AddressInfo).port}${path}`;

type Given = Partial<OutsideLimits> & { method?: string; headers?: [string, string][]; body?: string };

function ask(url: string, { method = 'GET', headers = [], body, ...limits }: Given = {}) {
  return requestOutside(
    { method, url: new URL(url), headers, body },
    {
      signal: new AbortController().signal,
      redirect: 'follow',
      totalMs: 20_000,
      mostBytes: MIB,
      allow: () => {},
      hold: () => {},
      ...limits,
    },
  );
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error) => (error instanceof OutsideFailed ? error.code : `not ours: ${error}`),
  );

const answerWith = (body: string | Buffer, headers: Record<string, string> = {}): Handler => {
  return (_, response) => {
    response.writeHead(200, headers);
    response.end(body);
  };
};

describe('a request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])('%s arrives with its body', async (method) => {
    handler = async (request, response) => {
      const parts: Buffer[] = await request.toArray();
      response.end(
        `${request.headers['content-length']} ${request.headers['transfer-encoding']} ${Buffer.concat(parts)}`,
      );
    };
    const answer = await ask(at('/'), { method, body: 'hällo' });
    expect(answer.body.toString()).toBe('6 undefined hällo');
  });

  test('HEAD tells how much there is', async () => {
    handler = (_, response) => void response.writeHead(200, { 'content-length': 2 ** 40 }).end();
    const answer = await ask(at('/'), { method: 'HEAD' });
    expect([answer.status, Object.fromEntries(answer.headers)['content-length'] ?? answer.headers]).toEqual([
      200,
      `${2 ** 40}`,
    ]);
  });
});

describe('an answer', () => {
  test.each([
    ['gzip', gzipSync('hällo')],
    ['x-gzip', gzipSync('hällo')],
    ['deflate', deflateSync('hällo')],
    ['deflate', deflateRawSync('hällo')],
    ['br', brotliCompressSync('hällo')],
    ['gzip, br', brotliCompressSync(gzipSync('hällo'))],
    ['identity', Buffer.from('hällo')],
  ])('comes unpacked: %s', async (encoding, packed) => {
    handler = answerWith(packed, { 'content-encoding': encoding });
    const { status, body } = await ask(at('/'));
    expect([status, body.toString()]).toEqual([200, 'hällo']);
  });

  test('comes with its status, its headers as they were, also those that repeat, and without a body where there is none', async () => {
    handler = (_, response) => {
      response.writeHead(204, 'Nothing', { 'set-cookie': ['a=1', 'b=2'], 'content-encoding': 'gzip' });
      response.end();
    };
    const answer = await ask(at('/'));
    expect([answer.status, answer.statusText, answer.body.length]).toEqual([204, 'Nothing', 0]);
    expect(answer.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => value)).toEqual(['a=1', 'b=2']);
    handler = answerWith(gzipSync('x'), { 'content-encoding': 'gzip' });
    expect((await ask(at('/'), { method: 'HEAD' })).body.length).toBe(0);
  });
});

describe('what is more than it may be ends there', () => {
  const zeros = Buffer.alloc(20 * MIB);

  test.each<[string, Handler, string]>([
    ['a body', answerWith(zeros), 'TOO_LARGE'],
    ['a body that says so', answerWith('', { 'content-length': `${2 ** 40}` }), 'TOO_LARGE'],
    ['a bomb of gzip', answerWith(gzipSync(zeros), { 'content-encoding': 'gzip' }), 'TOO_LARGE'],
    ['a bomb of Brotli', answerWith(brotliCompressSync(zeros), { 'content-encoding': 'br' }), 'TOO_LARGE'],
    ['a bomb in a bomb', answerWith(gzipSync(gzipSync(zeros)), { 'content-encoding': 'gzip, gzip' }), 'TOO_LARGE'],
    ['many encodings', answerWith('x', { 'content-encoding': Array(50).fill('gzip').join() }), 'ENCODING'],
    ['an unknown encoding', answerWith('x', { 'content-encoding': 'lzma' }), 'ENCODING'],
    ['what is no gzip', answerWith('not packed', { 'content-encoding': 'gzip' }), 'Z_DATA_ERROR'],
    ['long headers', (_, response) => response.writeHead(200, { a: 'x'.repeat(40_000) }).end(), 'HPE_HEADER_OVERFLOW'],
    [
      'many headers',
      (_, response) =>
        response.writeHead(200, Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`h${i}`, '1']))).end(),
      'HEADERS',
    ],
  ])('%s', async (_, answer, code) => {
    handler = answer;
    expect(await codeOf(ask(at('/')))).toBe(code);
  });

  test('what unpacks to nothing is counted as it comes', async () => {
    const nothing = gzipSync('');
    handler = answerWith(Buffer.concat(Array(200_000).fill(nothing)), { 'content-encoding': 'gzip' });
    expect(await codeOf(ask(at('/')))).toBe('TOO_LARGE');
  });

  test('what is much only between two encodings is too large, and not worked on', async () => {
    // Empty blocks of deflate: four bytes of header and then five bytes each, of which nothing comes.
    const head = Buffer.from('1f8b0800000000000003', 'hex');
    const between = Buffer.concat([head, Buffer.alloc(8 * MIB - ((8 * MIB) % 5), Buffer.from('000000ffff', 'hex'))]);
    const body = brotliCompressSync(between, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    expect(body.length).toBeLessThan(MIB / 10);
    handler = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(body);
    await expect(ask(at('/'))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  test('what is unpacked for long is given up when its asker does', async () => {
    const body = gzipSync(Buffer.alloc(64 * MIB));
    handler = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(body);
    const stop = new AbortController();
    let held = 0;
    const hold = (bytes: number) => {
      held += bytes;
      stop.abort();
    };
    await expect(ask(at('/'), { signal: stop.signal, mostBytes: 100 * MIB, hold })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(held).toBeLessThan(MIB);
  });

  test('one byte now and then is an answer only within the time for all of it, and its connection is closed', async () => {
    const closed = Promise.withResolvers<void>();
    handler = (_, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => {
        clearInterval(drip);
        closed.resolve();
      });
    };
    expect(await codeOf(ask(at('/'), { totalMs: 300 }))).toBe('TIMEOUT');
    await closed.promise;
  });

  test('who gives it up closes its connection, before the answer and within it', async () => {
    for (const begins of [false, true]) {
      const closed = Promise.withResolvers<void>();
      const giving = new AbortController();
      handler = (_, response) => {
        if (begins) response.write('x');
        response.on('close', () => closed.resolve());
        setImmediate(() => giving.abort());
      };
      expect(await codeOf(ask(at('/'), { signal: giving.signal }))).toBe('ABORTED');
      await closed.promise;
    }
  });

  test.each([
    ['what is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', /^HPE_/],
    ['nothing', '', /^ECONNRESET$/],
    ['less than it says', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', /^ECONNRESET$/],
    [
      'an endless chunk that ends',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nx',
      /^(ECONN|HPE_)/,
    ],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', /^FAILED$/],
  ])('a server that sends %s', async (_, text, code) => {
    rawText = text;
    expect(await codeOf(ask(at('/', raw)))).toMatch(code);
  });

  test('more than it says is left where it is', async () => {
    rawText = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext';
    expect((await ask(at('/', raw))).body.toString()).toBe('ok');
  });
});

describe('a redirect', () => {
  const SECRETS: [string, string][] = [
    ['authorization', 'Bearer x'],
    ['cookie', 'a=1'],
    ['x-own', '1'],
    ['content-type', 'text/plain'],
  ];

  test.each([
    [301, 'POST', 'GET', false],
    [302, 'POST', 'GET', false],
    [302, 'PUT', 'PUT', true],
    [303, 'PUT', 'GET', false],
    [303, 'HEAD', 'HEAD', undefined],
    [307, 'POST', 'POST', true],
    [308, 'POST', 'POST', true],
  ])('%i of a %s is followed by a %s', async (status, method, next, hasBody) => {
    let seen: unknown;
    handler = (request, response) => {
      if (request.url === '/') return response.writeHead(status, { location: '/next' }).end();
      request.once('data', () => {});
      seen = [request.method, request.headers['content-type'] !== undefined, request.headers.authorization];
      response.end('there');
    };
    const body = hasBody === undefined ? undefined : 'body';
    const headers = hasBody === undefined ? SECRETS.slice(0, 3) : SECRETS;
    const answer = await ask(at('/'), { method, body, headers });
    expect(seen).toEqual([next, hasBody ?? false, 'Bearer x']);
    expect([answer.url.pathname, answer.isRedirected]).toEqual(['/next', true]);
  });

  test('to another origin leaves what was meant for the first one', async () => {
    let seen: IncomingMessage['headers'] = {};
    handler = (request, response) => {
      if (request.url === '/') return response.writeHead(307, { location: at('/there', other) }).end();
      seen = request.headers;
      response.end();
    };
    await ask(at('/'), { method: 'POST', body: 'x', headers: SECRETS });
    expect([seen.authorization, seen.cookie, seen['x-own'], seen['content-type']]).toEqual([
      undefined,
      undefined,
      '1',
      'text/plain',
    ]);
  });

  test('goes to where it says in UTF-8, as browsers read it', async () => {
    handler = ({ url }, response) => {
      if (url === '/') response.writeHead(302, { location: Buffer.from('/café').toString('latin1') }).end();
      else response.end('there');
    };
    expect((await ask(at('/'))).url.pathname).toBe('/caf%C3%A9');
  });

  test('is one too many after ten, an answer when asked for, and a failure when not wanted', async () => {
    handler = (_, response) => response.writeHead(302, { location: '/again' }).end('moved');
    expect(await codeOf(ask(at('/')))).toBe('REDIRECT');
    expect(asked).toHaveLength(11);
    expect(await codeOf(ask(at('/'), { redirect: 'error' }))).toBe('REDIRECT');
    const answer = await ask(at('/'), { redirect: 'manual' });
    expect([answer.status, answer.body.toString(), answer.isRedirected]).toEqual([302, 'moved', false]);
  });

  test.each([
    ['where nobody may ask', 'http://10.0.0.1/', 'HOST'],
    ['to a file', 'file:///etc/passwd', 'ADDRESS'],
    ['to no URL', 'http://', 'ERR_INVALID_URL'],
    ['to a mail server', 'http://127.0.0.1:25/', 'PORT'],
    ['with a password', 'http://a:b@127.0.0.1/', 'CREDENTIALS'],
  ])('%s is not followed', async (_, location, code) => {
    handler = (_, response) => response.writeHead(302, { location }).end();
    const allow = ({ hostname }: URL) => {
      if (hostname === '10.0.0.1') throw new OutsideFailed('HOST', 'no');
    };
    expect(await codeOf(ask(at('/'), { allow }))).toBe(code);
    expect(asked).toHaveLength(1);
  });
});

describe('nothing of our own networks is asked', () => {
  test.each([
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://LOCALHOST:PORT/',
    'https://[::1]:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://[::ffff:7f00:1]:PORT/',
    'https://[::127.0.0.1]:PORT/',
    'https://[64:ff9b::7f00:1]:PORT/',
    'https://[2002:7f00:1::]:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f000001:PORT/',
    'https://0177.0.0.1:PORT/',
    'https://127.1:PORT/',
    'https://0:PORT/',
    'https://①②⑦.0.0.1:PORT/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/latest/meta-data/',
    'https://100.64.0.1/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://172.16.0.1/',
    'https://[fe80::1]/',
    'https://0.0.0.0:PORT/',
    'http://127.0.0.1:PORT/',
    'http://93.184.216.34/',
    'ftp://127.0.0.1:PORT/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://127.0.0.1:PORT/',
  ])('%s', async (url) => {
    restore();
    handler = answerWith('secret');
    const { port } = server.address() as AddressInfo;
    const failed = await ask(url.replace('PORT', `${port}`)).catch((error) => error);
    expect(failed).toMatchObject({ code: 'ADDRESS', message: expect.not.stringMatching(/127|169|10\.|::/) });
    expect(asked).toEqual([]);
  });

  test('what a redirect leads to is looked at as the first address was', async () => {
    handler = (_, response) => {
      // From here on, only the open internet.
      restore();
      response.writeHead(302, { location: at('/inside', other) }).end();
    };
    expect(await codeOf(ask(at('/')))).toBe('ADDRESS');
    expect(asked).toHaveLength(1);
  });
});
