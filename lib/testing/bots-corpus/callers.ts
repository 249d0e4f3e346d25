import type { CorpusBot } from './corpus-bot.ts';

/** Bots that call others: by fetch, node-fetch and undici, with what Node has for that. */
export const CALLERS: CorpusBot[] = [
  {
    name: 'an order is sent to a laboratory',
    code: `
      export async function handler(medplum, { input, secrets }) {
        const order = await medplum.readReference(input);
        const response = await fetch('{{server}}/made', {
          method: 'POST', headers: { 'content-type': 'application/json', 'x-api-key': 'k' }, body: JSON.stringify({ code: order.code.text }),
        });
        const told = await response.json();
        await medplum.updateResource({ ...order, identifier: [{ system: 'urn:lab', value: response.headers.get('x-of') }] });
        return [response.status, response.ok, told.body, told.headers['x-api-key'], (await medplum.readReference(input)).identifier[0].value];
      }`,
    given: [
      {
        resourceType: 'ServiceRequest',
        status: 'active',
        intent: 'order',
        subject: { display: 'x' },
        code: { text: 'HbA1c' },
      },
    ],
    input: { reference: '{{0}}' },
    answer: [201, true, '{"code":"HbA1c"}', 'k', 'other'],
  },
  {
    name: 'a server that is down becomes a task to look at',
    code: `
      export async function handler(medplum) {
        const response = await fetch('{{server}}/down');
        if (response.ok) return 'sent';
        const task = await medplum.createResource({ resourceType: 'Task', status: 'requested', intent: 'order', description: response.status + ' ' + (await response.text()) });
        return task.description;
      }`,
    answer: '503 busy',
  },
  {
    name: 'a server that is not there is an error that can be caught',
    code: `
      export async function handler() {
        try { await fetch('http://127.0.0.1:1/'); } catch (error) { return [error instanceof TypeError, error.message]; }
      }`,
    answer: [true, 'fetch failed'],
  },
  {
    name: 'a file of others is kept as a Binary',
    code: `
      export async function handler(medplum) {
        const response = await fetch('{{server}}/file');
        const bytes = new Uint8Array(await response.arrayBuffer());
        const binary = await medplum.createBinary({ data: bytes, contentType: response.headers.get('content-type'), filename: 'x.pdf' });
        return [binary.contentType, await (await medplum.download('Binary/' + binary.id)).text()];
      }`,
    answer: ['application/pdf', '%PDF-1.7'],
  },
  {
    name: 'signs in with basic credentials, by Buffer',
    code: `
      export async function handler() {
        const authorization = 'Basic ' + Buffer.from('ann:secret').toString('base64');
        const response = await fetch('{{server}}/a?b=c', { headers: { authorization } });
        const { headers, query } = await response.json();
        return [Buffer.from(headers.authorization.slice(6), 'base64').toString(), query];
      }`,
    answer: ['ann:secret', 'b=c'],
  },
  {
    name: 'node-fetch, as it was before there was another',
    code: `
      import fetch, { Headers } from 'node-fetch';
      export async function handler() {
        const response = await fetch('{{server}}/x', { method: 'PUT', headers: new Headers({ a: 'b' }), body: 'text' });
        const told = await response.json();
        return [told.method, told.headers.a, told.body];
      }`,
    answer: ['PUT', 'b', 'text'],
  },
  {
    name: 'node-fetch by require',
    code: `
      const fetch = require('node-fetch');
      exports.handler = async () => (await (await fetch('{{server}}/y')).json()).path;`,
    answer: '/y',
  },
  {
    name: 'what node-fetch 2 gives beside the Web',
    code: `
      import fetch from 'node-fetch';
      export async function handler() {
        const response = await fetch('{{server}}/y');
        const raw = response.headers.raw();
        const bytes = await response.buffer();
        return [Array.isArray(raw['content-type']), Buffer.isBuffer(bytes), JSON.parse(bytes.toString()).path];
      }`,
    answer: [true, true, '/y'],
  },
  {
    name: 'undici, by request, in pieces',
    code: `
      import { request } from 'undici';
      export async function handler() {
        const { body } = await request('{{server}}/made', { method: 'POST', body: 'z' });
        let text = '';
        for await (const piece of body) text += Buffer.from(piece).toString();
        return JSON.parse(text).body;
      }`,
    answer: 'z',
  },
  {
    name: 'undici, by request',
    code: `
      import { request } from 'undici';
      export async function handler() {
        const { statusCode, body } = await request('{{server}}/made', { method: 'POST', body: 'z' });
        return [statusCode, (await body.json()).body];
      }`,
    answer: [201, 'z'],
  },
  {
    name: 'a text message by the API of twilio',
    code: `
      export async function handler(medplum, { input }) {
        const response = await fetch('{{server}}/2010-04-01/Accounts/AC1/Messages.json', {
          method: 'POST', headers: { Authorization: 'Basic ' + btoa('AC1:token') },
          body: new URLSearchParams({ To: input.telecom[0].value, From: '+1555', Body: 'See you tomorrow' }),
        });
        const { headers, body } = await response.json();
        return [headers['content-type'].split(';')[0], body];
      }`,
    input: { resourceType: 'Patient', telecom: [{ system: 'phone', value: '+1444' }] },
    answer: ['application/x-www-form-urlencoded', 'To=%2B1444&From=%2B1555&Body=See+you+tomorrow'],
  },
  {
    name: 'a long answer is read line by line, by a stream',
    code: `
      import { Readable } from 'node:stream';
      export async function handler() {
        const { body } = await fetch('{{server}}/lines');
        let text = '';
        for await (const piece of Readable.fromWeb(body)) text += Buffer.from(piece).toString();
        return text.trim().split('\\n');
      }`,
    answer: ['a', 'b', 'c'],
  },
  {
    name: 'a file is put together by streams',
    code: `
      import { PassThrough, Transform } from 'stream';
      import { pipeline } from 'stream/promises';
      export async function handler() {
        const [source, out] = [new PassThrough(), []];
        source.end('abc');
        await pipeline(source, new Transform({ transform(piece, _, done) { done(null, piece.toString().toUpperCase()); } }), async (pieces) => { for await (const piece of pieces) out.push(String(piece)); });
        return out.join('');
      }`,
    answer: 'ABC',
  },
  {
    name: 'a body is signed, and a signature compared (node:crypto)',
    code: `
      import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
      export async function handler(medplum, { input }) {
        const signed = createHmac('sha256', 'key').update(input.text).digest('hex');
        const same = timingSafeEqual(Buffer.from(signed, 'hex'), createHmac('sha256', 'key').update(input.text).digest());
        return [signed.length, same, createHash('md5').update('a').digest('hex'), randomUUID().length];
      }`,
    input: { text: 'hello' },
    contentType: 'application/json',
    answer: [64, true, '0cc175b9c0f1b6a831c399e269772661', 36],
  },
  {
    name: 'a token of another is got first, then a call with it',
    code: `
      export async function handler() {
        const signIn = await fetch('{{server}}/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) });
        const token = (await signIn.json()).body.split('=')[1];
        const response = await fetch('{{server}}/me', { headers: { authorization: 'Bearer ' + token } });
        return (await response.json()).headers.authorization;
      }`,
    answer: 'Bearer client_credentials',
  },
  {
    name: 'two calls at once, with a limit of time',
    code: `
      export async function handler() {
        const signal = AbortSignal.timeout(20000);
        const all = await Promise.all(['/a', '/b'].map(async (path) => (await (await fetch('{{server}}' + path, { signal })).json()).path));
        return all;
      }`,
    answer: ['/a', '/b'],
  },
];
