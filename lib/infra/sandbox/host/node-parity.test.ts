import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const runOf = async (source: string, changes = {}) => readable(await supervisor.run(await jobOf(source, changes)));
const answerOf = async (source: string) => {
  const result = await runOf(source);
  return result.ok ? result.value.value : result;
};

describe('ciphers give each piece when Node gives it', () => {
  const text = randomBytes(150).toString('hex');
  const cuts = [0, 1, 16, 17, 40, 64, 95, 96, 200, 300];
  const names = [
    'aes-128-ctr',
    'aes-256-ctr',
    'aes-192-cbc',
    'aes-128-ecb',
    'aes-256-gcm',
    'aes-256-gcm of another iv',
  ];

  it.each(names)('%s', async (named) => {
    const name = named.slice(0, 11);
    const [key, given] = [randomBytes(Number(name.slice(4, 7)) / 8), randomBytes(16).fill(255, 14)];
    const ivOf: Record<string, Buffer | null> = { ecb: null, gcm: given.subarray(0, named.length > 11 ? 16 : 12) };
    const iv = name.slice(8) in ivOf ? ivOf[name.slice(8)]! : given;
    const encrypt = createCipheriv(name as 'aes-256-gcm', key, iv as Buffer);
    const pieces = cuts.map((from, at) => encrypt.update(text.slice(from, cuts[at + 1]), 'utf8', 'hex'));
    pieces.push(encrypt.final('hex'));
    const isSealed = name.endsWith('gcm');
    const tag = isSealed ? encrypt.getAuthTag().toString('hex') : '';
    const decrypt = createDecipheriv(name as 'aes-256-gcm', key, iv as Buffer);
    if (isSealed) decrypt.setAuthTag(Buffer.from(tag, 'hex'));
    const whole = pieces.join('');
    const back = cuts.map((from, at) =>
      decrypt.update(whole.slice(from * 2, cuts[at + 1]! * 2 || undefined), 'hex', 'utf8'),
    );
    back.push(decrypt.final('utf8'));
    const source = `
      const crypto = require('crypto');
      exports.handler = async () => {
        const [key, iv] = [Buffer.from('${key.toString('hex')}', 'hex'), ${iv ? `Buffer.from('${iv.toString('hex')}', 'hex')` : 'null'}];
        const cuts = ${JSON.stringify(cuts)};
        const encrypt = crypto.createCipheriv('${name}', key, iv);
        const pieces = cuts.map((from, at) => encrypt.update('${text}'.slice(from, cuts[at + 1]), 'utf8', 'hex'));
        pieces.push(encrypt.final('hex'));
        const tag = ${isSealed} ? encrypt.getAuthTag().toString('hex') : '';
        const decrypt = crypto.createDecipheriv('${name}', key, iv);
        if (${isSealed}) decrypt.setAuthTag(Buffer.from(tag, 'hex'));
        const whole = pieces.join('');
        const back = cuts.map((from, at) => decrypt.update(whole.slice(from * 2, cuts[at + 1] * 2 || undefined), 'hex', 'utf8'));
        back.push(decrypt.final('utf8'));
        return { pieces, tag, back };
      };`;
    const ours = (await answerOf(source)) as { pieces: string[]; tag: string; back: string[] };
    expect(ours.tag).toBe(tag);
    // All of it in the end, where its pieces cannot be given before.
    if (named.length > 11) expect([ours.pieces.join(''), ours.back.join('')]).toEqual([whole, text]);
    else expect(ours).toEqual({ pieces, tag, back });
  });

  it('what is piped through one comes out of it', async () => {
    const source = `
      import { createCipheriv, createDecipheriv } from 'crypto';
      import { Readable } from 'stream';
      import { pipeline } from 'stream/promises';
      import { text } from 'stream/consumers';
      export async function handler() {
        const [key, iv] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2)];
        const there = Readable.from(['a'.repeat(100), 'b'.repeat(33)]).pipe(createCipheriv('aes-256-cbc', key, iv));
        return text(there.pipe(createDecipheriv('aes-256-cbc', key, iv)));
      }`;
    expect(await answerOf(source)).toBe('a'.repeat(100) + 'b'.repeat(33));
  });
});

describe('as in Node', () => {
  it.each([
    [
      'a hash that a stream was piped into',
      `const { createHash } = require('crypto'); const { pipeline } = require('stream/promises'); const { Readable } = require('stream');
      const hash = createHash('sha256'); await pipeline(Readable.from([Buffer.from('a')]), hash); return hash.digest('hex')`,
      createHash('sha256').update('a').digest('hex'),
    ],
    [
      'a hash is given once',
      `const hash = require('crypto').createHash('sha256'); hash.digest(); try { hash.digest() } catch (error) { return error.code }`,
      'ERR_CRYPTO_HASH_FINALIZED',
    ],
    [
      'what packages ask of an object',
      `const { createSecretKey } = require('crypto');
      return [new URLSearchParams('a=1'), new URL('https://a.example'), createSecretKey('a')].map((one) => Object.prototype.toString.call(one))`,
      ['[object URLSearchParams]', '[object URL]', '[object KeyObject]'],
    ],
    [
      'URLSearchParams of null, and whose forEach',
      `const seen = []; new URLSearchParams('a=1').forEach(function () { seen.push(this.x) }, { x: 7 }); return [String(new URLSearchParams(null)), seen]`,
      ['null=', [7]],
    ],
    [
      'what extends the module of streams',
      `const Stream = require('stream'); class Own extends Stream {} const own = new Own();
      const got = []; own.on('data', (x) => got.push(x)); own.emit('data', 3); return [got, own instanceof Stream, typeof Stream.Readable, typeof Stream.promises.pipeline, Stream.Stream === Stream]`,
      [[3], true, 'function', 'function', true],
    ],
    [
      'once with a signal',
      `const { once, EventEmitter } = require('events'); const stop = new AbortController(); setTimeout(() => stop.abort(), 5);
      try { await once(new EventEmitter(), 'x', { signal: stop.signal }) } catch (error) { return [error.name, error.code] }`,
      ['AbortError', 'ABORT_ERR'],
    ],
    [
      'once that comes before its signal',
      `const { once, EventEmitter } = require('events'); const one = new EventEmitter(); setTimeout(() => one.emit('x', 4), 5);
      return once(one, 'x', { signal: new AbortController().signal })`,
      [4],
    ],
    [
      'randomInt with a callback',
      `const { randomInt } = require('crypto'); const { promisify } = require('util');
      return [await new Promise((done) => randomInt(5, 6, (error, n) => done(n))), await promisify(randomInt)(1), randomInt(3, 4)]`,
      [5, 0, 3],
    ],
    [
      'Buffers beside other bytes',
      `const one = Buffer.from('abc'); const bytes = new Uint8Array([98, 99]);
      return [one.equals(new Uint8Array([97, 98, 99])), one.indexOf(bytes), one.includes(bytes), one.lastIndexOf(bytes), one.compare(bytes), one.indexOf('c'), one.equals(Buffer.from('abc'))]`,
      [true, 1, true, 1, -1, 2, true],
    ],
    [
      'gzip of the same is the same',
      `return require('zlib').gzipSync('a').subarray(4, 8).toString('hex')`,
      gzipSync('a').subarray(4, 8).toString('hex'),
    ],
    [
      'timers',
      `const fired = []; const one = setTimeout(() => fired.push('one'), 40); one.unref(); const held = one.hasRef(); one.ref();
      for (let at = 0; at < 4; at += 1) { await new Promise((done) => setTimeout(done, 20)); one.refresh(); }
      const early = fired.length; await new Promise((done) => setTimeout(done, 80));
      { using gone = setTimeout(() => fired.push('gone'), 1); } await new Promise((done) => setTimeout(done, 10));
      return [held, one.hasRef(), early, fired]`,
      [false, true, 0, ['one']],
    ],
    ['listeners of process are chained', `return process.on('exit', () => {}).once('x', () => {}) === process`, true],
    [
      'a CommonJS module',
      `return [require.main === module, typeof require, __dirname, __filename, (0, require)('node:' + 'path').join('a', 'b')]`,
      [false, 'function', '/', '/index.js', 'a/b'],
    ],
  ])('%s', async (_, body, expected) => {
    expect(await answerOf(`exports.handler = async () => { ${body} };`)).toEqual(expected);
  });

  it('a module that is asked for while it runs, and is none, is an error of the bot', async () => {
    expect(await runOf(`exports.handler = async () => (0, require)('f' + 's');`)).toMatchObject({
      ok: false,
      reason: 'threw',
      message: 'There is no module fs in a bot',
    });
  });
});

it('calls for which there is no room wait for it, in their order', async () => {
  let [atOnce, most] = [0, 0];
  const seen: unknown[] = [];
  const call = async (_: string, [resource]: unknown[]) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    seen.push((resource as { n: number }).n);
    await new Promise((done) => setTimeout(done, 5));
    atOnce -= 1;
    return resource;
  };
  const body = `
    const all = await Promise.allSettled(Array.from({ length: 700 }, (_, n) => medplum.createResource({ resourceType: 'Basic', n })));
    return all.map(({ status, value }) => status === 'fulfilled' && value.n)`;
  const result = await runOf(handlerOf(body), { call });
  const expected = Array.from({ length: 700 }, (_, n) => n);
  expect(result).toMatchObject({ ok: true, value: { value: expected } });
  expect(seen).toEqual(expected);
  expect(most).toBeLessThanOrEqual(256);
});
