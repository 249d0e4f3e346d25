import { afterAll, describe, expect, it } from 'vitest';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1, memoryMb: 32 });
afterAll(() => supervisor.close());

const run = async (source: string, changes?: Partial<RunJob>) =>
  readable(await supervisor.run(await jobOf(source, changes)));
const runBody = (body: string, changes?: Partial<RunJob>) => run(handlerOf(body), changes);

describe('time', () => {
  const timeoutMs = 150;
  // It kills nothing that is late: what ends, the process that runs it has ended.
  const patient = createSupervisor({ processes: 1, graceMs: 3_600_000 });
  afterAll(() => patient.close());

  it.each([
    ['a loop at load', 'while (true); export const handler = 1;'],
    ['a sync loop', 'export const handler = () => { while (true); };'],
    ['a loop after an await', handlerOf('await null; while (true);')],
    ['a loop after a bridge call', handlerOf('await medplum.search("Patient"); while (true);')],
    ['a loop in a timer', handlerOf('setTimeout(() => { while (true); }); await new Promise(() => {});')],
    ['a loop of microtasks', handlerOf('const again = () => Promise.resolve().then(again); await again();')],
    ['a promise that never settles', handlerOf('await new Promise(() => {});')],
    ['a bridge call that never answers', handlerOf('await medplum.readResource("Patient", "1");')],
    [
      'a loop in a getter of what it throws',
      handlerOf('const e = new Error(); Object.defineProperty(e, "stack", { get() { while (true); } }); throw e;'),
    ],
    [
      'a loop in what it rejects with',
      handlerOf('Promise.reject(new Proxy(new Error(), { get() { while (true); } })); await new Promise(() => {});'),
    ],
    ['a slow regular expression', handlerOf('return /^(a+)+$/.test("a".repeat(40) + "b");')],
    ['a timer past the clock', handlerOf('await new Promise((done) => setTimeout(done, 1e12));')],
  ])('ends %s', async (_, source) => {
    const call = (method: string) => (method === 'search' ? Promise.resolve({}) : new Promise(() => {}));
    const result = await patient.run(await jobOf(source, { timeoutMs, call }));
    expect(result).toMatchObject({ ok: false, reason: 'timeout', message: 'The bot took longer than 150 ms' });
  });

  it('counts for what a bot leaves running after its answer, and the answer stands', async () => {
    const source = handlerOf(
      'Promise.resolve().then(() => Promise.resolve()).then(() => { while (true); }); return 1;',
    );
    const job = await jobOf(source, { timeoutMs });
    expect(await supervisor.run(job)).toMatchObject({ value: { text: '1' } });
    expect(await supervisor.run(job)).toMatchObject({ value: { text: '1' } });
  });

  it('does not stop the neighbours', async () => {
    const looping = [1, 2, 3, 4].map(() => runBody('while (true);', { timeoutMs: 1500 }));
    const waiting = runBody('await new Promise((done) => setTimeout(done, 300)); return "mine"', { timeoutMs: 5000 });
    expect(await waiting).toMatchObject({ value: { value: 'mine' } });
    for (const result of await Promise.all(looping)) expect(result).toMatchObject({ reason: 'timeout' });
  });
});

describe('memory', () => {
  it.each([
    ['an array', 'const a = []; while (true) a.push(new Array(1000).fill(1.5));'],
    ['strings', 'const a = []; while (true) a.push(("x" + a.length).repeat(1000).split(""));'],
    ['after an await', 'await null; const a = []; while (true) a.push(new Array(1000).fill(1.5));'],
    ['microtasks', 'for (;;) Promise.resolve().then(() => 0);'],
    ['big numbers', 'const a = []; for (;;) a.push(2n ** (1n << 25n));'],
  ])('ends a bomb: %s', async (_, body) => {
    expect(await runBody(body, { timeoutMs: 30_000 })).toMatchObject({ ok: false, reason: 'out-of-memory' });
    expect(await runBody('return 1')).toMatchObject({ ok: true });
  });

  it('counts bytes, whose allocation fails inside the bot', async () => {
    const body = 'const a = []; while (true) a.push(new Uint8Array(1e6).fill(1));';
    expect(await runBody(body)).toMatchObject({
      ok: false,
      reason: 'threw',
      message: 'Array buffer allocation failed',
    });
  });

  // V8 cannot stop these: the process goes with them, and another takes its place.
  it.each([
    ['one long built-in', 'return new Array(4e8).fill({}).length;'],
    ['one huge allocation', 'const a = []; for (;;) a.push("x".repeat(2 ** 28).split(""));'],
    ['hash tables', 'const m = new Map(); for (let i = 0; ; i += 1) m.set("key" + i, { i });'],
  ])(
    'ends a bomb that takes its process along: %s',
    async (_, body) => {
      const { ok, ...result } = await runBody(body, { timeoutMs: 5000 });
      expect(ok).toBe(false);
      expect(['out-of-memory', 'crashed', 'timeout']).toContain('reason' in result && result.reason);
      expect(await runBody('return 1')).toMatchObject({ ok: true });
    },
    60_000,
  );

  it('is what the supervisor gives', async () => {
    const body =
      'const a = []; for (let i = 0; i < 60; i += 1) a.push(new Array(131072).fill(i + 0.5)); return a.length';
    const job = await jobOf(handlerOf(body));
    const runWith = async (memoryMb: number) => {
      const own = createSupervisor({ processes: 1, memoryMb });
      return own.run(job).finally(() => own.close());
    };
    expect(await runWith(256)).toMatchObject({ ok: true });
    expect(await runWith(16)).toMatchObject({ ok: false, reason: 'out-of-memory' });
  });
});

describe('the walls', () => {
  it.each([
    'require',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'FinalizationRegistry',
    '__enter',
    '__loadExtras',
    '__loadWeb',
    '__loadNode',
  ])('there is no %s', async (name) =>
    expect(
      await run(`export const handler = () => typeof ${name === 'require' ? 'globalThis.require' : name}`),
    ).toMatchObject({ value: { value: 'undefined' } }),
  );

  // Programs that were written for Node look for both: they are there, and nothing of the server's stands in them.
  it('process is the same on every machine, and global is what stands in the context', async () => {
    const body = `
      const { env, argv, execArgv, pid, version, platform } = process;
      const names = Object.getOwnPropertyNames(process).toSorted();
      env.MINE = 'x';
      await new Promise((done) => process.nextTick(done));
      return { env: { ...env }, argv, execArgv, pid, version, platform, cwd: process.cwd(), names,
        isGlobal: global === globalThis, isSame: require('node:process') === process, mine: process.env.MINE };`;
    const names =
      'addListener arch argv browser cwd emit emitWarning env execArgv exitCode hrtime listenerCount listeners nextTick off on once pid platform prependListener release removeAllListeners removeListener setMaxListeners stderr stdout title uptime version versions';
    const expected = {
      ...{ env: { MINE: 'x' }, argv: [], execArgv: [], pid: 1, version: 'v24.0.0', platform: 'linux', cwd: '/' },
      ...{ names: names.split(' '), isGlobal: true, isSame: true, mine: 'x' },
    };
    expect(await runBody(body)).toMatchObject({ ok: true, value: { value: expected } });
    // What one run puts there is gone with it, and the bot may have another.
    expect(await runBody('return [Object.keys(process.env), (process = 1)]')).toMatchObject({
      value: { value: [[], 1] },
    });
    const common = 'exports.handler = async () => process.env.X ?? "none"';
    expect(await run(common)).toMatchObject({ value: { value: 'none' } });
  });

  it.each([
    // The bot's own process has neither of what the server's would lead to.
    'return ({}).constructor.constructor("return process.binding(`fs`)")()',
    'return medplum.search.constructor("return process.binding(`fs`)")()',
    'return console.log.constructor("return this.process.binding(`fs`)")()',
    'return event.constructor.constructor("return globalThis.process.mainModule.require(`fs`)")()',
    'try { null.f() } catch (e) { return e.constructor.constructor("return process.binding(`fs`)")() }',
    'return (0, eval)("process.binding(`fs`)")',
    'return import("node:" + event.bot.reference)',
    'try { new URL("x") } catch (e) { return e.constructor.constructor("return process.binding(`fs`)")() }',
    'Error.prepareStackTrace = (_, frames) => frames.map((f) => f.getFunction && f.getFunction() || f.getThis && f.getThis()); const s = new Error().stack; return s.find(Boolean).constructor.constructor("return process.binding(`fs`)")()',
  ])('no way out: %s', async (body) => {
    expect(await runBody(body)).toMatchObject({
      ok: false,
      reason: 'threw',
      message: expect.stringMatching(/process|undefined|code generation|not supported|module|Code/i),
    });
  });

  it('a run sees nothing of the run before it', async () => {
    const job = await jobOf(
      handlerOf(`
        const seen = [globalThis.left, Object.prototype.left, Array.prototype.left, medplum.left, console.left, count, JSON.left, Symbol.left, ({}).left];
        count += 1;
        for (const target of [globalThis, Object.prototype, Array.prototype, medplum, console, JSON, Symbol, String.prototype, Promise.prototype]) target.left = 1;
        JSON.parse = () => ({ stolen: true });
        Promise.prototype.then = () => { throw new Error("poisoned") };
        return seen.map((value) => value ?? 0).join();`).replace('export', 'let count = 0;\nexport'),
    );
    for (let i = 0; i < 5; i += 1)
      expect(await supervisor.run(job)).toMatchObject({ value: { text: '0,0,0,0,0,0,0,0,0' } });
  });

  // All of them come out of one snapshot.
  it.each([
    ['a bot', ''],
    [
      'a bot with core',
      'import { getReferenceString } from "@medplum/core"; export const used = getReferenceString;\n',
    ],
  ])('chance is of each run its own, and nothing of ours stands in the context: %s', async (_, imports) => {
    const body = `return [Math.random(), ['__core', '__enter', '__snapshotCore'].filter((name) => name in globalThis)]`;
    const jobs = [await jobOf(imports + handlerOf(body)), await jobOf(imports + handlerOf(body))];
    const results = [];
    for (const job of [...jobs, ...jobs]) results.push(readable(await supervisor.run(job)));
    const values = results.map((result) => (result.ok ? result.value.value : result)) as [number, string[]][];
    expect(new Set(values.map(([chance]) => chance)).size).toBe(4);
    expect(values.flatMap(([, names]) => names)).toEqual([]);
  });

  it('a bot that breaks its own built-ins breaks no run but its own', async () => {
    for (const body of [
      'Map.prototype.get = Map.prototype.set = () => { throw new Error("broken") }; await medplum.search("Patient")',
      'JSON.stringify = () => { throw new Error("broken") }; return {}',
      'Object.defineProperty(Object.prototype, "then", { get() { throw new Error("broken") } }); return {}',
      'Array.prototype.map = null; await medplum.search("Patient")',
    ]) {
      await runBody(body, { timeoutMs: 500 });
    }
    expect(await runBody('return 1')).toMatchObject({ ok: true });
  });
});
