import { afterAll, describe, expect, it, test } from 'vitest';
import { maskResult } from '#lib/domain/runs/mask-result.ts';
import { createMask } from '#lib/protocol/bots/secret-mask.ts';
import { handlerOf, jobOf } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

// Some of it is much, on a slow machine.
const run = async (body: string) => supervisor.run(await jobOf(handlerOf(body), { timeoutMs: 30_000 }));

async function logged(body: string): Promise<string[]> {
  const result = await run(`${body}\nreturn 'went on';`);
  expect(result).toMatchObject({ ok: true, value: { text: 'went on' } });
  return result.logs.map(({ text }) => text);
}

test.each([
  ['a class that says what it tells', `new (class { secret = 1; toJSON() { return { user: 2 }; } })()`, '{"user":2}'],
  ['a moment that is none', 'new Date(NaN)', 'Invalid Date'],
  ['numbers that JSON has not', '{ n: NaN }', '{ n: NaN }'],
  [
    'an error with what else it has, but no requests',
    `Object.assign(new Error('no'), { stack: 'Error: no', status: 500, config: { token: 't' } })`,
    'Error: no { status: 500 }',
  ],
  [
    'a cause',
    `Object.assign(new Error('no', { cause: Object.assign(new Error('why'), { stack: 'Error: why' }) }), { stack: 'Error: no' })`,
    'Error: no\n[cause]: Error: why',
  ],
  [
    'a resource beside an error',
    `{ patient: { name: [{ given: [{ deep: ['x'] }] }] }, then: undefined, error() {} }`,
    `{\n  patient: {\n    name: [\n      {\n        given: [ { deep: [ 'x' ] } ]\n      }\n    ]\n  },\n  then: undefined,\n  error: [Function: error]\n}`,
  ],
  [
    'a text of several lines in one piece',
    `{ text: 'first line of it\\nsecond line of it, and more', more() {} }`,
    `{ text: 'first line of it\\nsecond line of it, and more', more: [Function: more] }`,
  ],
])('%s', async (_, value, text) => {
  expect(await logged(`console.log(${value});`)).toEqual([text]);
});

test('a sign of percent that names no value is a sign', async () => {
  expect(await logged(`console.log('at 50% of', { a: { b: { c: { d: 1 } } } });`)).toEqual([
    'at 50% of {"a":{"b":{"c":{"d":1}}}}',
  ]);
});

describe('nothing that is logged makes a bot fail, or is logged without end', () => {
  it.each([
    'new Proxy({}, { ownKeys() { throw 1 }, get() { throw 2 }, getPrototypeOf() { throw 3 } })',
    '{ a: (() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })() }',
    'new Proxy({ a: 1 }, { get(target, key) { if (!(key in target)) throw new Error(String(key)); return target[key]; } })',
    'Object.defineProperty(/a/, "source", { get() { throw 1 } })',
    'Object.assign(new Error(""), { name: Symbol("n"), message: Symbol("m"), stack: undefined })',
    'Object.defineProperty(new Error(""), "cause", { get() { throw 1 } })',
    '{ get a() { throw 1 } }',
    '{ toJSON() { throw 1 } }',
    'new Array(1e8)',
    'new Uint8Array(5e6)',
    'Buffer.alloc(5e6)',
    '(() => { let dag = {}; for (let i = 0; i < 40; i += 1) dag = { a: dag, b: dag }; return dag; })()',
    '(() => { let deep = {}; for (let i = 0; i < 1e4; i += 1) deep = { deep, no() {} }; return deep; })()',
    '"x".repeat(2 ** 29 - 24), "y"',
    '(() => { const error = new Error("a"); error.cause = error; return error; })()',
    'Object.create({ constructor: null })',
  ])('%s', async (value) => {
    const texts = await logged(
      `console.log('before', ${value}); console.dir(${value}); console.table(${value}); console.log('after');`,
    );
    expect(texts[0]).toMatch(/^before /);
    expect(texts.join('').length).toBeLessThan(66_000);
  });

  it.each([
    'Object.freeze(globalThis);',
    'Object.prototype.get = function () {};',
    'String.prototype.includes = () => { throw 1 };',
    'Object.getPrototypeOf = () => { throw 1 };',
    'Object.keys = Object.entries = Reflect.ownKeys = Array.isArray = () => { throw 1 };',
    'Array.prototype.map = Array.prototype.join = RegExp.prototype.exec = () => { throw 1 };',
  ])('with %s', async (mischief) => {
    const values = `new Map(), { a() {} }, new Error('x', { cause: 1 }), { a: 1 }`;
    const texts = await logged(`console; ${mischief} console.log('a', ${values}); console.log('b');`);
    expect(texts[0]).toMatch(/^a /);
    expect(texts[1]).toBe('b');
  });

  it.each(['Object.freeze(globalThis);', 'Object.prototype.get = function () {};'])(
    'nor an address, with %s',
    async (mischief) => {
      expect(await logged(`${mischief} console.log(String(new URL('https://x/')));`)).toEqual(['https://x/']);
    },
  );

  it('rows and columns without number, groups without end', async () => {
    await logged('console.table(Array.from({ length: 1e6 }, (_, at) => at));');
    await logged(
      'console.table(Array.from({ length: 300 }, () => Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [at, 1]))));',
    );
    const texts = await logged(
      `for (let i = 0; i < 1e5; i += 1) console.group(); console.log('\\n'.repeat(1e6).trim() + 'x'); console.log('y');`,
    );
    expect(texts[1]).toBe(`${' '.repeat(1000)}y`);
  });

  it('what is read is read once', async () => {
    expect(
      await logged('let times = 0; console.log({ get a() { times += 1; return times; } }); console.log(times);'),
    ).toEqual(['{"a":1}', '1']);
  });

  it('and nothing of the language is there that was not', async () => {
    const body = `console.log(new Map()); console.log('Atomics' in globalThis, 'FinalizationRegistry' in globalThis, typeof Atomics);`;
    expect((await logged(body))[1]).toBe('false false undefined');
  });
});

describe('secrets are none in what is logged', () => {
  const SECRETS = [
    '{\n  "private_key_id": "0123456789abcdef",\n  "user": "me"\n}',
    `user's "pass" \`word\``,
    `plain-secret's`,
    'with \u001b[0m escape\u0085',
    'sk_live_abcdefghijklmnop',
  ];
  const WAYS = [
    '({ secret, no() {} })',
    'Object.assign(new Error("x"), { secret })',
    'new Map([[secret, [secret]]])',
    'Buffer.from(secret)',
    '[Buffer.from(secret).toJSON()]',
    '({ b: "x".repeat(9980) + secret, no() {} })',
    `[secret + ${JSON.stringify('\'"`$' + '{')}, () => 1]`,
    'secret',
  ];
  it.each(SECRETS)('%j', async (secret) => {
    const mask = createMask([{ name: 'K', valueString: secret }])!;
    const lines = WAYS.map((way) => `console.group('g'); console.log(${way});`).join('\n');
    const result = await run(`const secret = ${JSON.stringify(secret)}; ${lines}`);
    const masked = await maskResult(result, mask);
    const shown = masked.logs.filter(({ text }) => !/^ *g$/.test(text)).map(({ text }) => text);
    expect(shown).toHaveLength(WAYS.length);
    for (const text of shown) expect(text).toContain('[secret K]');
  });
});
