import { type CorpusBot, part } from './corpus-bot.ts';

const handler = (
  body: string,
  imports = "import fetch, { AbortError, FetchError, Headers, Request, Response } from 'node-fetch';",
) =>
  `${imports}\nimport { PassThrough, Readable, Transform } from 'stream';\nimport { pipeline } from 'stream/promises';\nexport async function handler() {\n${body}\n}`;
const failed = (body: string) =>
  handler(
    `try { ${body} } catch (e) { return [e.name, e.type, e.code ?? null, e.errno ?? null, e.message.replace(/^(.*?)http:[^ ,]*/, '$1it'), e instanceof FetchError, e instanceof AbortError, e instanceof Error]; }`,
  );

/** Bots that were written for node-fetch 2, whose bodies are streams of Node. What each answers is what it answers in Node, with 2.7. */
export const NODE_FETCH: CorpusBot[] = [
  {
    name: 'node-fetch: an answer is a stream of Node, by its events',
    code: handler(`
      const { body } = await fetch('{{server}}/lines');
      const pieces = [];
      await new Promise((done, fail) => body.on('data', (piece) => pieces.push(piece)).on('end', done).on('error', fail));
      return [body instanceof Readable, pieces.every(Buffer.isBuffer), Buffer.concat(pieces).toString()];`),
    answer: [true, true, 'a\nb\nc\n'],
  },
  {
    name: 'node-fetch: an answer is piped, and iterated',
    code: handler(`
      const upper = new Transform({ transform: (piece, _, done) => done(null, piece.toString().toUpperCase()) });
      let text = '';
      for await (const piece of (await fetch('{{server}}/lines')).body.pipe(upper)) text += piece;
      for await (const piece of (await fetch('{{server}}/lines')).body) text += piece;
      const through = new PassThrough();
      await pipeline((await fetch('{{server}}/lines')).body, through);
      return text + (await new Response(through).text());`),
    answer: 'A\nB\nC\na\nb\nc\na\nb\nc\n',
  },
  {
    name: 'node-fetch: a body that was looked at is read, a copy as well, and nothing twice',
    code: handler(`
      const response = await fetch('{{server}}/lines');
      const same = response.body === response.body;
      const copy = response.clone();
      const [text, bytes] = [await response.text(), await copy.buffer()];
      const again = await response.text().catch((e) => e instanceof TypeError);
      return [same, text, bytes.toString(), response.bodyUsed, again, response instanceof Response, copy instanceof Response, copy.headers instanceof Headers, copy.headers.raw()['content-type'], typeof copy.body.pipe];`),
    answer: [true, 'a\nb\nc\n', 'a\nb\nc\n', true, true, true, true, true, ['text/plain'], 'function'],
  },
  {
    name: 'node-fetch: a body is a stream of Node',
    code: handler(`
      const through = new PassThrough();
      const later = fetch('{{server}}/x', { method: 'POST', body: through, headers: { 'content-type': 'a/b' } });
      through.write('on'); setTimeout(() => through.end(Buffer.from('e')), 5);
      const bodies = [Readable.from(['t', 'wo']), Readable.from(Buffer.from('three')), (await fetch('{{server}}/lines')).body];
      const told = [await (await later).json()];
      for (const body of bodies) told.push(await (await fetch(new Request('{{server}}/x', { method: 'put', body }))).json());
      return told.map(({ method, body }) => method + ' ' + body);`),
    answer: ['POST one', 'PUT two', 'PUT three', 'PUT a\nb\nc\n'],
  },
  {
    name: 'node-fetch: a form is a stream, of streams as well',
    code: handler(
      `
      const form = new FormData();
      form.append('a', 1);
      form.append('file', Readable.from([Buffer.from('x,'), 'y']), { filename: 'f.csv', contentType: 'text/csv' });
      form.append('last', 'z');
      const asked = [form instanceof Stream, form.hasKnownLength(), String(form)];
      const told = await (await fetch('{{server}}/up', { method: 'POST', body: form, headers: form.getHeaders() })).json();
      const other = new FormData();
      other.append('a', 'b');
      const through = other.pipe(new PassThrough());
      const piped = await (await fetch('{{server}}/up', { method: 'POST', body: through, headers: other.getHeaders() })).json();
      const at = (text, form) => text.replaceAll(form.getBoundary(), '~');
      return [...asked, at(told.body, form), at(piped.body, other), piped.headers['content-type'] === 'multipart/form-data; boundary=' + other.getBoundary()];`,
      "import fetch from 'node-fetch';\nimport FormData from 'form-data';\nimport { Stream } from 'stream';",
    ),
    answer: [
      ...[true, false, '[object FormData]'],
      '--~\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--~\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\nx,y\r\n--~\r\nContent-Disposition: form-data; name="last"\r\n\r\nz\r\n--~--\r\n',
      '--~\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--~--\r\n',
      true,
    ],
  },
  {
    name: 'node-fetch: what was not reached',
    code: failed("await fetch('http://127.0.0.1:4/x')"),
    answer: [
      'FetchError',
      'system',
      'ECONNREFUSED',
      'ECONNREFUSED',
      part('request to it failed, reason: '),
      true,
      false,
      true,
    ],
  },
  {
    name: 'node-fetch: what takes longer than it may',
    code: failed("await fetch('{{server}}/slow', { timeout: 50 })"),
    answer: ['FetchError', 'request-timeout', null, null, 'network timeout at: it', true, false, true],
  },
  {
    name: 'node-fetch: a body that never ends is given up, also by fetch itself',
    code: handler(`
      const body = () => { const it = new PassThrough(); it.write('x'); return it; };
      const late = await fetch('{{server}}/x', { method: 'POST', body: body(), timeout: 50 }).catch((e) => e.type);
      const given = { method: 'POST', duplex: 'half', signal: AbortSignal.timeout(50) };
      return [late, await globalThis.fetch('{{server}}/x', { ...given, body: body() }).catch((e) => e.name)];`),
    answer: ['request-timeout', 'TimeoutError'],
  },
  {
    name: 'node-fetch: what is given up',
    code: failed(
      "const a = new AbortController(); setTimeout(() => a.abort(), 50); await fetch('{{server}}/slow', { signal: a.signal, timeout: 5000 })",
    ),
    answer: ['AbortError', 'aborted', null, null, 'The user aborted a request.', false, true, true],
  },
  {
    name: 'node-fetch: what is given up before, by somebody else’s signal',
    code: failed(`
      class AbortSignal extends EventTarget { aborted = true; }
      await fetch('{{server}}/x', { signal: new AbortSignal() })`),
    answer: ['AbortError', 'aborted', null, null, 'The user aborted a request.', false, true, true],
  },
  {
    name: 'node-fetch: an answer that is no JSON',
    code: failed("await (await fetch('{{server}}/lines')).json()"),
    answer: [
      'FetchError',
      'invalid-json',
      null,
      null,
      part('invalid json response body at it reason: Unexpected token'),
      true,
      false,
      true,
    ],
  },
  {
    name: 'node-fetch: an answer that is larger than it may be',
    code: failed("await (await fetch('{{server}}/lines', { size: 5 })).text()"),
    answer: ['FetchError', 'max-size', null, null, 'content size at it over limit: 5', true, false, true],
  },
  {
    name: 'node-fetch: a redirect that is not followed',
    code: failed("await fetch('{{server}}/moved', { redirect: 'error' })"),
    answer: [
      'FetchError',
      'no-redirect',
      null,
      null,
      'uri requested responds with a redirect, redirect mode is set to error: it',
      true,
      false,
      true,
    ],
  },
  {
    name: 'node-fetch: more redirects than are followed, none, and where one leads',
    code: handler(`
      const asked = await fetch('{{server}}/moved', { redirect: 'manual' });
      const types = [];
      for (const follow of [0, 1]) types.push(await fetch('{{server}}/moved', { follow }).then((r) => r.status, (e) => e.type));
      return [asked.status, asked.headers.get('location'), (await fetch('{{server}}/moved')).url, ...types];`),
    answer: [302, '{{server}}/lines', '{{server}}/lines', 'max-redirect', 200],
  },
  {
    name: 'node-fetch: who signs in by the address',
    code: handler(`
      const address = '{{server}}/x'.replace('//', '//lab:a%20%3Ab@');
      const asked = await fetch(address);
      const own = await fetch(new Request(address, { headers: { authorization: 'Bearer t' } }));
      return [(await asked.json()).headers.authorization, (await own.json()).headers.authorization];`),
    answer: [`Basic ${Buffer.from('lab:a :b').toString('base64')}`, 'Bearer t'],
  },
  {
    name: 'node-fetch by require is all of it, and the function itself',
    code: `
      const fetch = require('node-fetch');
      exports.handler = async () => {
        const { default: same, Headers, FetchError, AbortError, Response, Request, isRedirect } = fetch;
        const error = new FetchError('m', 'system', { code: 'X' });
        const headers = new Headers({ a: 'b', c: ['d', 'e'] });
        return [same === fetch, fetch.isRedirect(302), isRedirect(200), error.code, error.errno, error.type, String(error), new AbortError('gone').type, headers.raw(), await new Response(Buffer.from('x')).text(), new Request('{{server}}', { method: 'patch' }).method];
      };`,
    answer: [true, true, false, 'X', 'X', 'system', 'FetchError: m', 'aborted', { a: ['b'], c: ['d,e'] }, 'x', 'PATCH'],
  },
];
