import { afterAll, describe, expect, it, test } from 'vitest';
import { bundleBot } from '../compile/bundle.ts';
import { SANDBOX_LIMITS } from './limits.ts';
import { handlerOf, jobOf, readable, runnerPids } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const runBody = async (body: string, changes?: Partial<RunJob>) =>
  readable(await supervisor.run(await jobOf(handlerOf(body), changes)));

/** Whatever the prelude spreads or walks from here on, the bot sees, and chooses. */
const choose = (args: string) => `
  const real = Array.prototype[Symbol.iterator];
  Array.prototype[Symbol.iterator] = function () {
    const chosen = typeof this[0] === 'string' && /^(log|call|done|failed)$/.test(this[0]) ? ${args} : this;
    return real.call(chosen);
  };`;

describe('a bot that replaces what its context stands on', () => {
  it.each([
    ['a level with a NUL', "['log', 'lo\\u0000g', 'x']", 'console.log("x")'],
    ['a long level', "['log', 'x'.repeat(1e7), 'x']", 'console.log("x")'],
    ['an endless message', "['failed', 'threw', 'x'.repeat(2e7)]", 'throw new Error("y")'],
    ['a stack of a million lines', "['failed', 'threw', 'x', '\\n'.repeat(1e6)]", 'throw new Error("y")'],
    [
      'an outcome of no issues',
      `['failed', 'threw', 'x', 'x', '{"resourceType":"OperationOutcome","issue":[null]}']`,
      'throw 1',
    ],
    ['no JSON', "['done', 'json', '{{{']", 'return 1'],
  ])('chooses nothing of what leaves: %s', async (_, args, body) => {
    const result = await runBody(`${choose(args)} ${body}`);
    const { logs } = result;
    expect(logs.every(({ level, text }) => level === 'log' && text.length < 100)).toBe(true);
    if (result.ok) return;
    expect(result.message.length).toBeLessThanOrEqual(SANDBOX_LIMITS.errorCharacters);
    expect((result.stack ?? '').split('\n').length).toBeLessThanOrEqual(SANDBOX_LIMITS.stackLines);
    expect(result.outcome).toBeUndefined();
  });

  it('has no more calls under way than it may', async () => {
    let underWay = 0;
    const call = () => {
      underWay += 1;
      return new Promise(() => {});
    };
    const body = `
      Object.defineProperty(Map.prototype, 'size', { get: () => 0 });
      for (let i = 0; i < 2000; i += 1) medplum.search('Patient').catch(() => {});
      await new Promise((done) => setTimeout(done, 50)); return 1`;
    expect(await runBody(body, { call })).toMatchObject({ ok: true });
    expect(underWay).toBe(SANDBOX_LIMITS.pendingCalls);
  });
});

describe('a stack', () => {
  it.each([8, 60, 200])(
    'is cut after it was put into lines of the source, in a file whose name has %i characters',
    async (length) => {
      const source = handlerOf(`
      const at = /bot\\.js:\\d+:\\d+/.exec(new Error().stack)[0];
      const error = new Error('x');
      error.stack = (at + ' ').repeat(1300);
      throw error;`);
      const bundle = await bundleBot('project-1', { source, filename: `${'a'.repeat(length)}.ts` });
      if (!bundle.ok) throw new Error('does not compile');
      const calls = { call: async () => undefined };
      const neighbour = runBody(
        'await medplum.search("Patient"); await new Promise((d) => setTimeout(d, 700)); return 1',
        calls,
      );
      await runBody('return 1');
      const before = runnerPids();
      const result = await runBody('', { code: bundle.code, sourceMap: bundle.sourceMap });
      expect(result).toMatchObject({
        ok: false,
        reason: 'threw',
        message: 'x',
        stack: expect.stringContaining(`${'a'.repeat(length)}.ts:`),
      });
      expect(result).toSatisfy(({ stack }) => stack.length <= SANDBOX_LIMITS.stackCharacters);
      expect(await neighbour).toMatchObject({ ok: true });
      expect(runnerPids()).toEqual(before);
    },
  );
});

describe('calls that nobody awaited', () => {
  const asked: number[] = [];
  const call = (_: string, [at]: unknown[], __: unknown, signal: AbortSignal) => {
    signal.addEventListener('abort', () => asked.push(at as number));
    return new Promise<undefined>((done) => setTimeout(done, 300));
  };

  it('are given up with the run, which says so', async () => {
    const result = await runBody('for (let i = 0; i < 3; i += 1) medplum.search(i); return 1', { call });
    expect(result).toMatchObject({ ok: true });
    expect(asked.splice(0)).toEqual([0, 1, 2]);
    expect(result.logs.map(({ level, text }) => [level, text])).toEqual([
      ['warn', expect.stringContaining('3 of its calls were not answered')],
    ]);
  });

  it('and of one that threw', async () => {
    const result = await runBody('medplum.search(7); throw new Error("x")', { call });
    expect([result.ok, result.logs]).toEqual([false, []]);
    expect(asked.splice(0)).toEqual([7]);
  });
});

describe('the log', () => {
  it('has an end, also of lines that say nothing', async () => {
    const { logs } = await runBody('for (let i = 0; i < 2e4; i += 1) console.log(""); return 1');
    expect(logs.length).toBeLessThanOrEqual(SANDBOX_LIMITS.logBytes / SANDBOX_LIMITS.logLineBytes + 1);
    expect(logs.at(-1)?.text).toMatch(/log cut at 64 KiB/);
  });
});

describe('arguments of a call', () => {
  it.each([
    ['nested too deeply', 'let a = []; for (let i = 0; i < 5000; i += 1) a = [a]; return medplum.createResource(a)'],
    ['of too many values', 'return medplum.createResource(new Array(200_000).fill(1))'],
    [
      'too many bytes at once',
      'const a = "x".repeat(4e6); return Promise.all([1,2,3,4,5,6,7,8,9].map(() => medplum.search(a)))',
    ],
    ['with what has no JSON form', 'return medplum.createResource({ a: NaN })'],
  ])('%s are refused before they leave', async (_, body) => {
    const calls: unknown[] = [];
    const call = (...args: unknown[]) => {
      calls.push(args);
      return new Promise(() => {});
    };
    expect(await runBody(body, { call })).toMatchObject({ ok: false, reason: 'threw' });
    expect(calls.length).toBeLessThan(5);
  });
});

test('what all bots of a project ask for at one moment has an end, and another project does not feel it', async () => {
  let [atOnce, most] = [0, 0];
  // None ends before one was refused.
  const held = Promise.withResolvers<undefined>();
  const call = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await held.promise;
    atOnce -= 1;
    return undefined;
  };
  const job = await jobOf(
    handlerOf('const a = "x".repeat(4e6); await Promise.all([1,2,3,4].map(() => medplum.search(a)))'),
  );
  const runs = Array.from({ length: 5 }, () => supervisor.run({ ...job, call, projectId: 'project-3' }));
  const other = supervisor.run({
    ...(await jobOf(handlerOf('await medplum.search("Patient")'))),
    projectId: 'project-2',
  });
  await Promise.race(runs);
  held.resolve(undefined);
  const results = await Promise.all(runs);
  const refused = results.filter((result) => !result.ok && result.message.includes('larger than 64 MiB in all'));
  expect(most).toBe(16);
  expect(refused.length).toBe(results.filter(({ ok }) => !ok).length);
  expect(refused.length).toBeGreaterThan(0);
  expect(await other).toMatchObject({ ok: true });
  expect(await supervisor.run({ ...job, call, projectId: 'project-3' })).toMatchObject({ ok: true });
});

describe('what a bot learns of us', () => {
  it.each([
    'new URL("nope")',
    'new TextDecoder("klingon")',
    'new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))',
    'atob("é")',
    'btoa("€")',
    'crypto.getRandomValues(new Uint8Array(70000))',
    'const u = new URL("http://a"); u.href = "nope"',
    'setTimeout()',
    'structuredClone(() => 1)',
    'medplum.search(1n)',
  ])('are no paths of the installation: %s', async (statement) => {
    const body = `try { ${statement.startsWith('medplum') ? 'await ' : ''}${statement} } catch (e) { return [e instanceof Error, e.stack + e.message] }`;
    const [isError, text] = ((await runBody(body)) as { value: { value: [boolean, string] } }).value.value;
    expect(isError).toBe(true);
    expect(text).not.toMatch(/file:|node:|\/lib\/|isolated-vm/);
  });
});
