import { afterAll, describe, expect, it } from 'vitest';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

// One process: what one bot has it do is done for the others, too.
const supervisor = createSupervisor({ processes: 1, maxProcesses: 1 });
afterAll(() => supervisor.close());

const WITH_CORE = 'import { getReferenceString } from "@medplum/core"; export const used = getReferenceString;\n';
const NEW = `return [typeof Float16Array, typeof Math.f16round, typeof DataView.prototype.getFloat16, typeof RegExp.escape,
  typeof Error.isError, typeof Promise.try, typeof DisposableStack, typeof AsyncDisposableStack, typeof SuppressedError,
  typeof Symbol.dispose, typeof Symbol.asyncDispose, typeof Iterator.from([])[Symbol.dispose], typeof Atomics,
  new Float16Array([1.1])[0], RegExp.escape('a.b'), Error.isError(new Error()), await Promise.try(() => 7), /(?i:a)b/.test('Ab')]`;
const EXPECTED = [
  ...Array(6).fill('function'),
  ...Array(3).fill('function'),
  ...['symbol', 'symbol', 'function', 'undefined'],
  ...[1.099609375, '\\x61\\.b', true, 7, true],
];
const USING = `
  const told = [];
  { using one = { [Symbol.dispose]: () => told.push('one') }; told.push('in'); }
  { await using two = { [Symbol.asyncDispose]: async () => told.push('two') }; told.push('in'); }
  for (using three of [{ [Symbol.dispose]: () => told.push('three') }]) told.push('in');
  return told;`;
const TOLD = ['in', 'one', 'in', 'two', 'in', 'three'];

const runOf = async (source: string) => readable(await supervisor.run(await jobOf(source)));

describe('what V8 has is there', () => {
  // First of all: the process has left them out by then.
  it('a bot that says `using` after one that names nothing new', async () => {
    expect(await runOf(handlerOf('return typeof Object.name'))).toMatchObject({ value: { value: 'string' } });
    const lean = handlerOf('return Reflect.ownKeys(globalThis).includes(["Float", "16Array"].join(""))');
    expect(await runOf(lean)).toMatchObject({ value: { value: false } });
    expect(await runOf(handlerOf(USING))).toMatchObject({ ok: true, value: { value: TOLD } });
  });

  it.each([
    ['a name in quotes', `return typeof Reflect.get(Promise, 'try')`, 'function'],
    ['a text that is compiled', `return (0, eval)(event.input)`, 7],
  ])('%s', async (_, body, value) => {
    const input = { kind: 'text' as const, value: '(() => { using x = null; return 7 })()' };
    const job = await jobOf(handlerOf(body), { event: input });
    expect(readable(await supervisor.run(job))).toMatchObject({ ok: true, value: { value } });
  });

  it.each([
    ['a bot', ''],
    ['a bot with core', WITH_CORE],
  ])('%s, before and after one that says `using`', async (_, imports) => {
    const answer = { ok: true, value: { value: EXPECTED } };
    expect(await runOf(imports + handlerOf(NEW))).toMatchObject(answer);
    const using = await jobOf(imports + handlerOf(USING));
    for (let i = 0; i < 3; i += 1)
      expect(readable(await supervisor.run(using))).toMatchObject({ ok: true, value: { value: TOLD } });
    expect(await runOf(imports + handlerOf(NEW))).toMatchObject(answer);
  });

  it('`using` is a name where it is one', async () => {
    const body = 'const using = 3; let of = using * 2; return [using, of, "using x = " + using]';
    expect(await runOf(handlerOf(body))).toMatchObject({ value: { value: [3, 6, 'using x = 3'] } });
  });
});

describe('what we add', () => {
  it('is made once, and the bot’s to replace and to take away', async () => {
    const body = `
      const names = ['setTimeout', 'console', 'fetch', 'URL', 'Buffer', 'process', 'performance', 'crypto', 'queueMicrotask', 'structuredClone', 'Headers'];
      const once = names.every((name) => globalThis[name] === globalThis[name] && globalThis[name] !== undefined);
      const kinds = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name).writable);
      globalThis.fetch = 1;
      setInterval = 2;
      TextEncoder = 3;
      Blob ??= 4;
      delete globalThis.atob;
      const listed = Object.keys(globalThis).filter((name) => /^(set|clear)(Timeout|Interval|Immediate)$/.test(name));
      return [once, kinds.every(Boolean), fetch, setInterval, TextEncoder, typeof Blob, typeof atob, listed.length, Object.keys(globalThis).includes('console')];`;
    const value = [true, true, 1, 2, 3, 'function', 'undefined', 6, false];
    expect(await runOf(handlerOf(body))).toMatchObject({ ok: true, value: { value } });
  });

  it('works for a bot that has broken what it is made with', async () => {
    const body = `
      Array.prototype.includes = () => false;
      Object.prototype.get = Object.prototype.set = 1;
      Object.defineProperty = Reflect.apply = Function.prototype.bind = () => { throw new Error('broken') };
      console.log('said');
      return new Promise((resolve) => setTimeout(() => resolve('later'), 1));`;
    expect(await runOf(handlerOf(body))).toMatchObject({ value: { value: 'later' }, logs: [{ text: 'said' }] });
  });

  it('works where the bot has frozen what stands there', async () => {
    const body = `
      Object.freeze(globalThis);
      console.log('said');
      return [console === console, await new Promise((resolve) => setTimeout(() => resolve(typeof URL), 1))];`;
    expect(await runOf(handlerOf(body))).toMatchObject({
      value: { value: [true, 'function'] },
      logs: [{ text: 'said' }],
    });
  });
});
