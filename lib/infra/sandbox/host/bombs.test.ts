import { afterAll, expect, it } from 'vitest';
import { ping } from '../../db/ping.ts';
import { handlerOf, jobOf } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1, memoryMb: 32 });
afterAll(() => supervisor.close());

/** Each ends within its time or its memory, whichever comes first; or in an answer, where all that it does is refused or counted. */
it.each([
  ['a string that doubles', 'let s = "x"; for (;;) s += s;'],
  ['an array of arrays', 'let a = []; for (;;) a = [a, new Array(1e5).fill(0)];'],
  ['a regular expression', 'return /^(a|a|b?a)*$/.test("a".repeat(60) + "!");'],
  ['JSON', 'let a = ["x".repeat(1e5)]; for (;;) a = [JSON.parse(JSON.stringify([a, a]))];'],
  ['big integers', 'let n = 3n; for (;;) n *= n;'],
  ['proxies', 'const p = new Proxy({}, { get: (t, k, r) => r[k + "x"] }); return p.x;'],
  [
    'an order that calls itself',
    'const a = [3, 1, 2]; const by = () => { a.slice().sort(by); return 1; }; a.sort(by);',
  ],
  ['an order that never ends', 'new Array(1e6).fill(0).sort(() => { for (;;); });'],
  ['formats', 'const all = []; for (let i = 0; ; i += 1) all.push(new Intl.DateTimeFormat("de", { day: "2-digit" }));'],
  ['bytes', 'const all = []; for (;;) all.push(new Float64Array(1e6).fill(1));'],
  ['a function that awaits itself', 'const f = async () => { await f(); }; await f();'],
  [
    'functions that await without end',
    'const f = async (n) => { await null; return [await f(n + 1), n]; }; await f(0);',
  ],
  [
    'rejections by the million',
    'for (let i = 0; i < 1e6; i += 1) Promise.reject(new Error("x")); await new Promise(() => {});',
  ],
  ['lines by the million', 'for (let i = 0; i < 1e6; i += 1) console.log("line " + i); for (;;);'],
  ['timers by the thousand', 'for (let i = 0; i < 1e5; i += 1) setTimeout(() => {}, 1);'],
  [
    'timers that start timers',
    'const t = () => { setTimeout(t, 0); setTimeout(t, 0); }; t(); await new Promise(() => {});',
  ],
  ['promises without end', 'const f = () => Promise.resolve().then(f); await f();'],
  ['getters of what it throws', 'throw { get message() { for (;;); } };'],
  [
    'a getter that throws itself',
    'const e = {}; Object.defineProperty(e, "message", { get() { throw e; } }); throw e;',
  ],
  ['generators', 'function* g() { for (;;) yield* g(); } for (const x of g());'],
  ['a generator without end', 'function* g() { for (;;) yield 1; } return [...g()];'],
  [
    'an iterator that is spread',
    'const it = { [Symbol.iterator]: () => it, next: () => ({ value: 1 }) }; Math.max(...it);',
  ],
  ['maps', 'const m = new Map(); for (let i = 0; ; i += 1) m.set({}, new Map([[i, m]]));'],
  ['names', 'const o = {}; for (let i = 0; ; i += 1) o["k" + i] = i;'],
  ['source', 'let s = "1"; for (;;) { s += "+1".repeat(1000); new Function("return " + s)(); }'],
  ['what it answers with', 'const a = []; a.length = 4e9 / 2; return a;'],
  ['an answer that is itself', 'const a = {}; a.a = a; return a;'],
  ['an answer that makes more of itself', 'const f = () => ({ toJSON: () => [f(), f()] }); return f();'],
  ['calls by the thousand', 'await Promise.all(Array.from({ length: 1e5 }, () => medplum.search("Patient")));'],
])(
  'a bomb of %s ends in a clear error, and the server answers meanwhile',
  async (_, body) => {
    const running = supervisor.run(await jobOf(handlerOf(body), { timeoutMs: 2000 }));
    await ping();
    const result = await running;
    expect(result).toMatchObject({ ok: false, message: expect.stringMatching(/./) });
    if (result.ok) return;
    expect(['threw', 'timeout', 'out-of-memory', 'unserializable', 'crashed']).toContain(result.reason);
    expect(await supervisor.run(await jobOf(handlerOf('return 1')))).toMatchObject({ ok: true, value: { text: '1' } });
  },
  60_000,
);
