import type { CorpusBot } from './corpus-bot.ts';

/** What Node and the Web have and bots use: bytes, hashes, tokens, streams, packed files, events. */
export const PLATFORM: CorpusBot[] = [
  {
    name: 'a signature of a webhook is proved by HMAC and a comparison in constant time',
    code: `
      import { createHmac, timingSafeEqual } from 'crypto';
      export async function handler(medplum, event) {
        const mine = createHmac('sha256', 'key').update(JSON.stringify(event.input)).digest();
        const theirs = Buffer.from(mine.toString('hex'), 'hex');
        return [timingSafeEqual(mine, theirs), mine.toString('hex').length];
      }`,
    contentType: 'application/json',
    input: { a: 1 },
    answer: [true, 64],
  },
  {
    name: 'a record is hashed so that nobody is named',
    code: `
      import { createHash, randomUUID } from 'node:crypto';
      export const handler = async (medplum, { input }) => [createHash('sha256').update(input.id).digest('hex').slice(0, 12), createHash('md5').update('a').digest('base64'), randomUUID().length];`,
    contentType: 'application/json',
    input: { id: 'mrn-9' },
    answer: ['58f8e06ac93c', 'DMF1ucDxtqgxw5niaXcmYQ==', 36],
  },
  {
    name: 'crypto by require',
    code: `
      const crypto = require('crypto');
      exports.handler = async () => crypto.createHmac('sha1', 'k').update('d').digest('hex');`,
    answer: '2b90e41e7c0cc8e2f75c02910c3899cc468ba316',
  },
  {
    name: 'a token of one’s own is signed and proved (JWT, HS256) by the Web’s crypto',
    code: `
      const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
      export async function handler() {
        const key = await crypto.subtle.importKey('raw', new TextEncoder().encode('secret'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
        const head = part({ alg: 'HS256', typ: 'JWT' }) + '.' + part({ sub: 'ada' });
        const signature = await crypto.subtle.sign('HMAC', key, Buffer.from(head));
        const isGood = await crypto.subtle.verify('HMAC', key, signature, Buffer.from(head));
        return [head, isGood, JSON.parse(Buffer.from(head.split('.')[1], 'base64url').toString()).sub];
      }`,
    answer: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhZGEifQ', true, 'ada'],
  },
  {
    name: 'what must not be read is sealed and opened again (AES-256-GCM)',
    code: `
      import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'crypto';
      export async function handler() {
        const key = scryptSync('password', 'salt', 32), iv = randomBytes(12);
        const cipher = createCipheriv('aes-256-gcm', key, iv);
        const sealed = Buffer.concat([cipher.update('Lovelace', 'utf8'), cipher.final()]);
        const opener = createDecipheriv('aes-256-gcm', key, iv);
        opener.setAuthTag(cipher.getAuthTag());
        return Buffer.concat([opener.update(sealed), opener.final()]).toString();
      }`,
    answer: 'Lovelace',
  },
  {
    name: 'a file in base64 becomes bytes, text and a Binary',
    code: `
      export async function handler(medplum, event) {
        const bytes = Buffer.from(event.input.data, 'base64');
        const binary = await medplum.createBinary({ data: bytes, contentType: 'text/plain' });
        const back = Buffer.from(await (await medplum.download(binary.url ?? 'Binary/' + binary.id)).arrayBuffer());
        return [bytes.toString('utf8'), back.equals(bytes), Buffer.byteLength('é'), Buffer.concat([bytes, Buffer.alloc(2)]).length];
      }`,
    contentType: 'application/json',
    input: { data: 'aMOp' },
    answer: ['hé', true, 2, 5],
  },
  {
    name: 'fixed fields of a claim are cut out of a line (Buffer as bytes)',
    code: `
      export async function handler(medplum, { input }) {
        const line = Buffer.from(input, 'latin1');
        return [line.subarray(0, 4).toString('latin1').trim(), parseInt(line.toString('latin1', 4, 10), 10), line.readUInt8(0)].join(' ');
      }`,
    contentType: 'text/plain',
    input: 'AB  001999',
    answer: 'AB 1999 65',
  },
  {
    name: 'a packed file is unpacked, and packed',
    code: `
      import { gunzipSync, gzipSync } from 'zlib';
      import { promisify } from 'util';
      import zlib from 'zlib';
      export async function handler() {
        const packed = gzipSync('a'.repeat(1000));
        const later = await promisify(zlib.gunzip)(packed);
        return [packed.length < 100, gunzipSync(packed).length, later.toString().length];
      }`,
    answer: [true, 1000, 1000],
  },
  {
    name: 'a stream goes through a Transform (stream, pipeline)',
    code: `
      import { Readable, Transform } from 'stream';
      import { pipeline } from 'stream/promises';
      export async function handler() {
        const lines = [];
        const upper = new Transform({ objectMode: true, transform(line, _, done) { done(null, line.toUpperCase()); } });
        upper.on('data', (line) => lines.push(line));
        await pipeline(Readable.from(['a', 'b']), upper);
        return lines;
      }`,
    answer: ['A', 'B'],
  },
  {
    name: 'parts of a program speak by events',
    code: `
      import { EventEmitter, once } from 'events';
      export async function handler() {
        const bus = new EventEmitter();
        setTimeout(() => bus.emit('done', 7), 1);
        const [value] = await once(bus, 'done');
        return [value, bus.listenerCount('done')];
      }`,
    answer: [7, 0],
  },
  {
    name: 'addresses and queries are made and taken apart',
    code: `
      import { URL } from 'url';
      import querystring from 'querystring';
      import path from 'path';
      export async function handler() {
        const url = new URL('https://a.example/x?b=1');
        url.searchParams.set('c', 'é');
        return [url.href, querystring.parse('a=1&a=2').a, path.join('a', '..', 'b.csv'), path.extname('b.csv')];
      }`,
    answer: ['https://a.example/x?b=1&c=%C3%A9', ['1', '2'], 'b.csv', '.csv'],
  },
  {
    name: 'a table of values is read by hand (CSV with quotes)',
    code: `
      const split = (line: string): string[] => [...line.matchAll(/("([^"]|"")*"|[^,]*)(,|$)/g)].slice(0, -1).map(([, cell]) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'));
      export async function handler(medplum: unknown, event: { input: string }): Promise<unknown> {
        const [head, ...rows] = event.input.trim().split('\\n').map(split);
        return JSON.stringify(rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at]]))));
      }`,
    contentType: 'text/plain',
    input: 'name,note\nAda,"a, ""b"""\n',
    answer: '[{"name":"Ada","note":"a, \\"b\\""}]',
  },
];
