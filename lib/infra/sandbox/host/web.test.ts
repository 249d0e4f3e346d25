import { generateKeyPairSync } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { BUILTINS } from '../compile/builtins.ts';
import { bundleBot } from '../compile/bundle.ts';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor } from './supervisor.ts';

const RSA_PUBLIC = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  type: 'spki',
  format: 'pem',
});
const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const run = async (source: string, changes?: Partial<RunJob>) =>
  readable(await supervisor.run(await jobOf(source, changes)));
const runBody = (body: string, changes?: Partial<RunJob>) => run(handlerOf(body), changes);

describe('the Web in a bot', () => {
  it.each<[string, string, unknown]>([
    [
      'Headers',
      'const h = new Headers({ A: "1" }); h.append("a", "2"); h.append("Set-Cookie", "x"); return [[...h], h.get("A")]',
      [
        [
          ['a', '1, 2'],
          ['set-cookie', 'x'],
        ],
        '1, 2',
      ],
    ],
    [
      'Response',
      'const r = Response.json({ a: 1 }, { status: 201 }); const c = r.clone(); return [r.ok, r.status, await r.json(), await c.text(), r.bodyUsed]',
      [true, 201, { a: 1 }, '{"a":1}', true],
    ],
    [
      'as much of a text as there is room for',
      'const to = new Uint8Array(6); const how = new TextEncoder().encodeInto("a\u00e9\u{1f600}b", to); const less = new TextEncoder().encodeInto("\u{1f600}\ud800", to); return [how, less, new TextEncoder().encodeInto("\ud800", to), [...to]]',
      [{ read: 2, written: 3 }, { read: 2, written: 4 }, { read: 1, written: 3 }, [239, 191, 189, 128, 0, 0]],
    ],
    [
      'decorators and accessors',
      'const seen = []; const d = (f, c) => { seen.push(c.name); return f; }; class A { accessor x = 1; @d m() { return 2; } } const a = new A(); return [a.x, a.m(), seen]',
      [1, 2, ['m']],
    ],
    [
      'a body is read once',
      'const r = new Response("x"); await r.text(); return r.text().catch((e) => e.name)',
      'TypeError',
    ],
    [
      'FormData there and back',
      'const f = new FormData(); f.append("a", "é"); f.append("b", new File(["xy"], "n.txt", { type: "text/plain" })); const g = await new Response(f).formData(); return [g.get("a"), g.get("b").name, await g.get("b").text()]',
      ['é', 'n.txt', 'xy'],
    ],
    [
      'streams',
      'let t = ""; for await (const x of new Blob(["hé"]).stream().pipeThrough(new TextDecoderStream())) t += x; return t',
      'hé',
    ],
    [
      'AbortSignal',
      'const a = new AbortController(); const s = AbortSignal.any([a.signal]); a.abort(); return [s.aborted, s.reason.name, s.reason instanceof DOMException]',
      [true, 'AbortError', true],
    ],
    [
      'Buffer',
      'return [Buffer.from("hi").toString("base64url"), Buffer.from("aGk", "base64url").toString(), Buffer.from("é") instanceof Uint8Array]',
      ['aGk', 'hi', true],
    ],
    [
      'subtle: digest and HMAC',
      'const e = new TextEncoder(); const k = await crypto.subtle.importKey("raw", e.encode("k"), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]); const s = await crypto.subtle.sign("HMAC", k, e.encode("d")); const d = await crypto.subtle.digest("SHA-256", e.encode("a")); return [await crypto.subtle.verify("HMAC", k, s, e.encode("d")), Buffer.from(d).toString("hex").slice(0, 8)]',
      [true, 'ca978112'],
    ],
    [
      'subtle: AES-GCM',
      'const k = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"]); const iv = crypto.getRandomValues(new Uint8Array(12)); const c = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, k, new Uint8Array([1, 2])); const p = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, k, c); return [c.byteLength, [...new Uint8Array(p)]]',
      [18, [1, 2]],
    ],
    [
      'subtle: ECDSA',
      'const k = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]); const w = { name: "ECDSA", hash: "SHA-256" }; const s = await crypto.subtle.sign(w, k.privateKey, new Uint8Array([1])); return [s.byteLength, await crypto.subtle.verify(w, k.publicKey, s, new Uint8Array([1])), await crypto.subtle.verify(w, k.publicKey, s, new Uint8Array([2]))]',
      [64, true, false],
    ],
    [
      'timers',
      'let n = 0; await new Promise((done) => { const t = setInterval(() => { n += 1; if (n === 3) { clearInterval(t); done(); } }, 1); t.unref(); }); return n',
      3,
    ],
  ])('%s', async (_, body, value) => expect(await runBody(body)).toMatchObject({ ok: true, value: { value } }));
});

it('what is written by any method of console is in the log', async () => {
  const body = `
    console.error('failed', { err: new TypeError('bad') }); console.trace('here %s', 1);
    console.assert(true, 'no'); console.assert(false, 'yes'); console.assert(false); console.countReset('x');
    console.time('t'); console.timeLog('t', 1); console.timeEnd('t'); console.timeEnd('t');
    process.stdout.write('out\\n'); process.stderr.write(Buffer.from('err')); process.emitWarning('old', 'DeprecationWarning', 'D1');
    const told = []; process.stdout.write('', () => told.push(1)); process.nextTick((a, b) => told.push(a, b), 2, 3); await null; await null;
    return told;`;
  const { logs, ...result } = await runBody(body);
  expect(
    logs.map(({ level, text }) => `${level} ${text.replace(/[\d.]+ms/, 'Nms').replaceAll(/\n +at .*/g, '')}`),
  ).toEqual([
    ...['error failed {\n  err: TypeError: bad\n}', 'debug Trace: here 1'],
    ...['error Assertion failed: yes', 'error Assertion failed', "warn Warning: Count for 'x' does not exist"],
    ...['log t: Nms 1', 'log t: Nms', "warn Warning: No such label 't' for console.timeEnd()"],
    ...['log out', 'error err', 'warn (node:1) [D1] DeprecationWarning: old'],
  ]);
  expect(result).toMatchObject({ ok: true, value: { value: [1, 2, 3] } });
});

describe('fetch', () => {
  const answer = {
    url: 'https://a.example/x',
    status: 200,
    statusText: 'OK',
    headers: [['content-type', 'application/json']],
    isRedirected: false,
  };

  it('asks the server, and gives its answer', async () => {
    const asked: unknown[] = [];
    const call: RunJob['call'] = async (...given) => {
      asked.push(given.slice(0, 2));
      return { ...answer, text: '{"a":1}' };
    };
    const body =
      'const r = await fetch("https://a.example/x", { method: "post", body: new URLSearchParams({ b: "1" }) }); return [r.status, r.ok, r.url, await r.json()]';
    expect(await runBody(body, { call })).toMatchObject({
      value: { value: [200, true, 'https://a.example/x', { a: 1 }] },
    });
    expect(asked).toEqual([
      [
        'fetch',
        [
          {
            method: 'POST',
            url: 'https://a.example/x',
            redirect: 'follow',
            headers: [['content-type', 'application/x-www-form-urlencoded;charset=UTF-8']],
            text: 'b=1',
          },
        ],
      ],
    ]);
  });

  it('fails with a TypeError whose cause says why', async () => {
    const call: RunJob['call'] = async () => ({ failed: { code: 'ADDRESS', text: 'not asked' } });
    const body =
      'try { await fetch("https://a.example") } catch (e) { return [e instanceof TypeError, e.message, e.cause.message, e.cause.code] }';
    expect(await runBody(body, { call })).toMatchObject({
      value: { value: [true, 'fetch failed', 'not asked', 'ADDRESS'] },
    });
  });

  it('that the bot gives up, or that outlives its run, ends in the server', async () => {
    for (const body of [
      'await fetch("https://a.example", { signal: AbortSignal.timeout(5) }).catch(() => {}); await new Promise((d) => setTimeout(d, 50)); return 1',
      'fetch("https://a.example"); return 1',
    ]) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const call: RunJob['call'] = (_, __, ___, signal) =>
        new Promise(() => signal.addEventListener('abort', () => resolve()));
      expect(await runBody(body, { call })).toMatchObject({ ok: true });
      await promise;
    }
  });

  it('ten thousand at once are no more than the calls that a run may have', async () => {
    let underWay = 0;
    const call: RunJob['call'] = () => {
      underWay += 1;
      return new Promise(() => {});
    };
    const body =
      'const all = Array.from({ length: 10_000 }, () => fetch("https://a.example").catch((e) => e.name)); return await Promise.race(all)';
    expect(await runBody(body, { call })).toMatchObject({ value: { value: 'TypeError' } });
    expect(underWay).toBeLessThanOrEqual(256);
  });
});

it('a timer may be waited for as Node has it', async () => {
  const source = `import { promisify } from 'util';
    export async function handler() { return [await promisify(setTimeout)(5, 'later'), await promisify(setImmediate)('soon')]; }`;
  expect(await run(source)).toMatchObject({ value: { value: ['later', 'soon'] } });
});

describe('modules of Node', () => {
  it('have the names that the deploy knows of, and no others', async () => {
    const names = Object.keys(BUILTINS);
    const source = `${names.map((name, at) => `const m${at} = require(${JSON.stringify(name)});`).join('\n')}
      exports.handler = async () => [${names.map((_, at) => `Object.keys(m${at})`).join()}]`;
    const result = (await run(source)) as { value: { value: string[][] } };
    for (const [at, name] of names.entries())
      expect(result.value.value[at]).toEqual(
        expect.arrayContaining(BUILTINS[name]!.trim().split(/\s+/).filter(Boolean)),
      );
  });

  it.each<[string, string, unknown]>([
    [
      "import crypto, { createHmac, timingSafeEqual } from 'node:crypto';",
      'return [createHmac("sha256", "k").update("d").digest("hex").length, timingSafeEqual(Buffer.from("a"), Buffer.from("a")), crypto.createHash("md5").update("a").digest("hex"), crypto.pbkdf2Sync("p", "s", 1000, 8, "sha256").length]',
      [64, true, '0cc175b9c0f1b6a831c399e269772661', 8],
    ],
    [
      "import { createCipheriv, createDecipheriv, randomBytes } from 'crypto';",
      'const k = randomBytes(32), iv = randomBytes(16); const c = createCipheriv("aes-256-cbc", k, iv); const x = c.update("héllo", "utf8", "hex") + c.final("hex"); const d = createDecipheriv("aes-256-cbc", k, iv); return d.update(x, "hex", "utf8") + d.final("utf8")',
      'héllo',
    ],
    [
      "import { generateKeyPairSync, createPrivateKey } from 'crypto';",
      `const kinds = [];
      for (const namedCurve of ["P-256", "secp384r1"]) {
        const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve, publicKeyEncoding: { type: "spki", format: "pem" }, privateKeyEncoding: { type: "sec1", format: "pem" } });
        const key = createPrivateKey(privateKey);
        let refused = ""; try { key.export({ type: "pkcs1", format: "pem" }) } catch (error) { refused = error.message }
        kinds.push([key.asymmetricKeyDetails.namedCurve, privateKey.split("\\n")[0], publicKey.split("\\n")[0], refused]);
      }
      return kinds`,
      ['prime256v1', 'secp384r1'].map((curve) => [
        ...[curve, '-----BEGIN EC PRIVATE KEY-----', '-----BEGIN PUBLIC KEY-----', 'The key cannot be exported'],
      ]),
    ],
    [
      "import { createPublicKey, createCipheriv } from 'crypto';",
      `const key = createPublicKey(${JSON.stringify(RSA_PUBLIC)}); const { modulusLength, publicExponent } = key.asymmetricKeyDetails;
      let refused; try { createCipheriv("aes-128-gcm", "k".repeat(16), "i".repeat(12), { authTagLength: 12 }) } catch (error) { refused = error.message }
      return [modulusLength, String(publicExponent), key.export({ type: "pkcs1", format: "pem" }).split("\\n")[0], refused]`,
      [2048, '65537', '-----BEGIN RSA PUBLIC KEY-----', 'authTagLength is 16 in a bot: no other is made or taken'],
    ],
    [
      "import { generateKeyPairSync, createSign, createVerify } from 'crypto';",
      'const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" }); const pem = privateKey.export({ type: "pkcs8", format: "pem" }); const s = createSign("SHA256").update("a").sign(pem, "base64"); return createVerify("SHA256").update("a").verify(publicKey, s, "base64")',
      true,
    ],
    [
      "import { hkdf, hkdfSync, generateKeyPair } from 'node:crypto';",
      'const key = await new Promise((resolve) => hkdf("sha256", "k", "s", "i", 16, (_, it) => resolve(it))); const made = await new Promise((resolve) => generateKeyPair("ed25519", {}, (e, publicKey, privateKey) => resolve([e, publicKey.type, privateKey.type]))); return [Buffer.from(key).equals(Buffer.from(hkdfSync("sha256", "k", "s", "i", 16))), made]',
      [true, [null, 'public', 'private']],
    ],
    [
      "import { EventEmitter, on, getEventListeners, addAbortListener } from 'node:events';",
      'const e = new EventEmitter(); const end = new AbortController(); const came = []; setTimeout(() => { e.emit("x", 1, 2); e.emit("x", 3); e.emit("over"); }); for await (const args of on(e, "x", { close: ["over"] })) came.push(args); const left = getEventListeners(e, "x").length; let why; setTimeout(() => end.abort(new Error("enough"))); try { for await (const _ of on(e, "x", { signal: end.signal })); } catch (error) { why = error.code + error.cause.message; } setTimeout(() => e.emit("error", new Error("bad"))); try { for await (const _ of on(e, "x")); } catch (error) { why += error.message; } let aborted = 0; addAbortListener(end.signal, () => { aborted += 1; }); await 0; await 0; return [came, left, why, aborted]',
      [[[1, 2], [3]], 0, 'ABORT_ERRenoughbad', 1],
    ],
    [
      "import { EventEmitter, on } from 'node:events'; import { gzipSync, gunzipSync, crc32 } from 'zlib'; import { domainToASCII } from 'url';",
      'const e = new EventEmitter(); const heard = on(e, "x"); e.emit("x", 1); const first = await heard.next(); const second = heard.next(); await heard.return(); const wide = new Uint16Array([1, 300]); return [first, await second, [...gunzipSync(gzipSync(wide))], crc32(wide) === crc32(Buffer.from([1, 0, 44, 1])), crc32(new DataView(wide.buffer)) === crc32(wide), domainToASCII("u@h"), domainToASCII("h:80")]',
      [{ value: [1], done: false }, { done: true }, [1, 0, 44, 1], true, true, '', ''],
    ],
    [
      "import { buffer, json, text } from 'node:stream/consumers'; import { PassThrough, promises, Readable } from 'stream'; import { ReadableStream } from 'stream/web';",
      'const web = new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("{\\"a\\":1}")); c.close(); } }); const through = new PassThrough(); void promises.pipeline(Readable.from(["hé", "llo"]), through); return [await text(through), await json(web), (await buffer(Readable.from([Buffer.from("ab")]))).length]',
      ['héllo', { a: 1 }, 2],
    ],
    [
      "import { isAscii, isUtf8 } from 'buffer'; import { crc32 } from 'zlib'; import { domainToASCII } from 'url'; import { isDate } from 'util/types'; import { strict } from 'assert'; import equal from 'assert/strict'; import posix from 'path/posix'; import { performance } from 'perf_hooks'; import { promises } from 'timers';",
      'await promises.setTimeout(1); let strictly; try { equal.equal(1, "1"); } catch { strictly = true; } return [isAscii(Buffer.from("é")), isUtf8(Buffer.from([0xff])), isUtf8(Buffer.from("é")), crc32("hello"), crc32("lo", crc32("hel")), domainToASCII("español.com"), domainToASCII("xn--iñvalid.com"), isDate(new Date()), strictly, posix.join("a", "..", "b"), performance.now() > 0]',
      [false, false, true, 907060870, 907060870, 'xn--espaol-zwa.com', '', true, true, 'b', true],
    ],
    [
      "import { randomFill, randomFillSync } from 'node:crypto';",
      'const a = randomFillSync(Buffer.alloc(64), 8, 16); const b = new Uint32Array(8); const c = await new Promise((resolve) => randomFill(b, 4, (_, it) => resolve(it))); const none = (of, ...at) => of.slice(...at).every((one) => one === 0); let far; try { randomFillSync(Buffer.alloc(4), 2, 4); } catch (e) { far = e.name; } return [none(a, 0, 8), none(a, 8, 24), none(a, 24), none(b, 0, 4), none(b, 4), c === b, far]',
      [true, false, true, true, false, true, 'RangeError'],
    ],
    [
      "import { urlToHttpOptions } from 'node:url';",
      'const { auth, hostname, port } = urlToHttpOptions(new URL("https://a%40:b@[::1]:8443/x")); return [auth, hostname, port, urlToHttpOptions(new URL("https://x")).auth]',
      ['a@:b', '::1', 8443, null],
    ],
    [
      "import { deflateSync, gzipSync, gunzipSync, inflateSync } from 'zlib';",
      `const told = (work) => { try { return work().toString(); } catch (e) { return e.code + ' ' + e.message; } };
       const [a, b, z] = [gzipSync('hello '.repeat(200)), gzipSync('world'), deflateSync('abc')];
       const off = (bytes, at) => { const changed = Buffer.from(bytes); changed[changed.length - at] ^= 1; return changed; };
       return [gunzipSync(Buffer.concat([a, b, a])).length, told(() => gunzipSync(off(a, 8))), told(() => gunzipSync(off(a, 4))),
         told(() => gunzipSync(Buffer.concat([off(a, 8), b]))), told(() => gunzipSync(a, { maxOutputLength: 100 })),
         told(() => inflateSync(z)), told(() => inflateSync(off(z, 1))), told(() => inflateSync(z, { maxOutputLength: 2 })), inflateSync(deflateSync(Buffer.alloc(100_000, 255))).length,
         gunzipSync(Buffer.concat([a, Buffer.alloc(512)])).length, told(() => inflateSync(Buffer.concat([z, Buffer.from('\\n')]))), told(() => gunzipSync(Buffer.concat([off(a, 8), Buffer.alloc(9)])))]`,
      [
        ...[2405, 'Z_DATA_ERROR incorrect data check', 'Z_DATA_ERROR incorrect length check'],
        ...['Z_DATA_ERROR incorrect data check', 'ERR_BUFFER_TOO_LARGE Cannot create a Buffer larger than 100 bytes'],
        ...[
          'abc',
          'Z_DATA_ERROR incorrect data check',
          'ERR_BUFFER_TOO_LARGE Cannot create a Buffer larger than 2 bytes',
        ],
        ...[100_000, 1200, 'abc', 'Z_DATA_ERROR invalid gzip data'],
      ],
    ],
    ["import { gzipSync, gunzipSync } from 'zlib';", 'return gunzipSync(gzipSync("abc")).toString()', 'abc'],
    [
      "import { Readable, Transform } from 'stream';\nimport { pipeline } from 'stream/promises';",
      'let t = ""; await pipeline(Readable.from(["a", "b"]), new Transform({ transform(c, e, done) { t += c; done() } })); return t',
      'ab',
    ],
    [
      "import EventEmitter from 'events';\nimport util from 'util';\nimport path from 'path';\nimport assert from 'assert';\nimport qs from 'querystring';\nimport url from 'url';",
      'const e = new EventEmitter(); let n = 0; e.on("x", () => { n += 1 }); e.emit("x"); assert.deepStrictEqual({ a: [1] }, { a: [1] }); return [n, util.format("%s %d", "a", 1), path.join("a", "..", "b"), qs.stringify({ a: [1, 2] }), url.parse("https://u@h:1/p?q=1#f").host]',
      [1, 'a 1', 'b', 'a=1&a=2', 'h:1'],
    ],
    [
      "import fetchIt, { Headers as H } from 'node-fetch';\nimport { request } from 'undici';",
      'return [typeof fetchIt, new H() instanceof Headers, typeof request]',
      ['function', true, 'function'],
    ],
  ])('%s', async (imports, body, value) =>
    expect(await run(`${imports}\n${handlerOf(body)}`)).toMatchObject({ ok: true, value: { value } }),
  );

  it.each(['fs', 'node:net', 'child_process', 'http', 'ssh2-sftp-client'])(
    '%s is refused at the deploy, with its line',
    async (name) => {
      const result = await bundleBot('project-1', {
        source: `\nimport x from '${name}';\nexport const handler = () => x;`,
        filename: 'index.ts',
      });
      expect(result).toMatchObject({ ok: false, errors: [{ line: 2, text: expect.stringMatching(/sockets.*fetch/) }] });
      const isWeb = name === 'http';
      expect(/axios .* browsers/.test(JSON.stringify(result))).toBe(isWeb);
    },
  );
});

describe('cryptography that would take for ever', () => {
  it.each([
    ["import { pbkdf2Sync } from 'crypto';", 'pbkdf2Sync("p", "s", 1e9, 32, "sha512")'],
    ["import { scryptSync } from 'crypto';", 'for (;;) scryptSync("p", "s", 64)'],
  ])('ends with the run, and its neighbours go on: %s', async (imports, body) => {
    const slow = run(`${imports}\n${handlerOf(body)}`, { timeoutMs: 1000 });
    expect(await runBody('return 1')).toMatchObject({ ok: true });
    expect(await slow).toMatchObject({ ok: false, reason: 'timeout' });
  });

  it('keys that are too large, locked or no keys are refused', async () => {
    const body =
      'const out = []; for (const k of ["nope", { key: "x", passphrase: "y" }, { key: { kty: "RSA", n: "f".repeat(4000), e: "AQAB" }, format: "jwk" }]) { try { createPublicKey(k); out.push("taken") } catch (e) { out.push(e instanceof Error && !/node:|\\/lib\\//.test(e.stack)) } } return out';
    expect(await run(`import { createPublicKey } from 'crypto';\n${handlerOf(body)}`)).toMatchObject({
      value: { value: [true, true, true] },
    });
  });
});
