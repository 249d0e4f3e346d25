import { afterAll, describe, expect, it } from 'vitest';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const run = async (source: string, changes?: Partial<RunJob>) =>
  readable(await supervisor.run(await jobOf(source, changes)));
const runBody = (body: string, changes?: Partial<RunJob>) => run(handlerOf(body), changes);

describe('results', () => {
  it.each([
    ['undefined', '', { kind: 'undefined' }],
    ['null', 'return null', { kind: 'null' }],
    ['string', 'return "hé"', { kind: 'string', value: 'hé' }],
    ['number', 'return -4.5', { kind: 'number', value: -4.5 }],
    ['boolean', 'return false', { kind: 'boolean', value: false }],
    ['object', 'return { a: [1, { b: null }] }', { kind: 'json', value: { a: [1, { b: null }] } }],
    ['array', 'return []', { kind: 'json', value: [] }],
    ['a Date', 'return new Date(0)', { kind: 'string', value: '1970-01-01T00:00:00.000Z' }],
    ['a Date within', 'return { at: new Date(0) }', { kind: 'json', value: { at: '1970-01-01T00:00:00.000Z' } }],
    ['what is a number as JSON', 'return { toJSON: () => 5 }', { kind: 'number', value: 5 }],
    ['what is null as JSON', 'return { toJSON: () => null }', { kind: 'null' }],
    ['a Map, as JSON.stringify has it', 'return { map: new Map([[1, 2]]) }', { kind: 'json', value: { map: {} } }],
    ['a Set, as JSON.stringify has it', 'return new Set([1])', { kind: 'json', value: {} }],
    ['promise', 'return Promise.resolve(1)', { kind: 'number', value: 1 }],
  ])('%s', async (_, body, value) => expect(await runBody(body)).toMatchObject({ ok: true, value, logs: [] }));

  it('come from sync and async handlers, ESM and CommonJS', async () => {
    expect(await run('export const handler = () => 1')).toMatchObject({ value: { value: 1 } });
    expect(await run('export const handler = async () => { await null; return 2 }')).toMatchObject({
      value: { value: 2 },
    });
    expect(await run('exports.handler = async () => 3')).toMatchObject({ value: { value: 3 } });
    expect(await run('module.exports = { handler: () => 4 }')).toMatchObject({ value: { value: 4 } });
  });

  it.each([
    ['function', 'return () => 1'],
    ['BigInt', 'return 1n'],
    ['nested BigInt', 'return { a: 1n }'],
    ['symbol', 'return Symbol("x")'],
    ['cycle', 'const a = {}; a.a = a; return a'],
    ['toJSON without a result', 'return { toJSON() {} }'],
    ['toJSON that throws', 'return { toJSON() { throw new Error("no") } }'],
    ['NaN', 'return NaN'],
    ['a Date that is none', 'return new Date("x")'],
    ['a Date that is none, deep', 'return { a: [new Date("x")] }'],
    ['Infinity, deep', 'return { a: [-Infinity] }'],
    ['5,000 nested arrays', 'let a = []; for (let i = 0; i < 5000; i += 1) a = [a]; return a'],
    ['an outcome of no issues', 'return { resourceType: "OperationOutcome", issue: [null, 5] }'],
    ['more than 6 MiB', 'return "x".repeat(6 * 1024 * 1024 + 1)'],
    ['more than 6 MiB of UTF-8', 'return "é".repeat(3 * 1024 * 1024 + 1)'],
  ])('refused: %s', async (_, body) => {
    expect(await runBody(body)).toMatchObject({ ok: false, reason: 'unserializable', message: expect.any(String) });
  });

  it('may be 6 MiB', async () => {
    expect(await runBody('return "x".repeat(6 * 1024 * 1024)')).toMatchObject({ ok: true });
  });
});

describe('the event', () => {
  it('carries the input by its kind and the rest as it was given', async () => {
    const changes = {
      event: { kind: 'json', text: '{"a":1}' },
      headers: { h: '1' },
      secrets: { K: { name: 'K' } },
    } as const;
    const result = await runBody('return event', { ...changes, requester: { reference: 'Patient/1' }, traceId: 't' });
    expect(result).toMatchObject({
      value: {
        value: {
          input: { a: 1 },
          bot: { reference: 'Bot/1' },
          contentType: 'application/json',
          headers: { h: '1' },
          secrets: { K: { name: 'K' } },
          requester: { reference: 'Patient/1' },
          traceId: 't',
        },
      },
    });
    expect(
      await runBody('return typeof event.input + event.input', { event: { kind: 'text', value: '{}' } }),
    ).toMatchObject({
      value: { value: 'string{}' },
    });
    expect(await runBody('return typeof event.input')).toMatchObject({ value: { value: 'undefined' } });
  });

  it('gives HL7 as a message that can be read, answered and returned', async () => {
    const value = 'MSH|^~\\&|A|B|C|D|2020||ADT^A01|77|P|2.5\rPID|1||X\\T\\Y^Z\r';
    const event = { kind: 'hl7', value } as const;
    const body = 'return event.input.getSegment("PID").getField(3).getComponent(1)';
    expect(await runBody(body, { event })).toMatchObject({ value: { value: 'X&Y' } });
    expect(await runBody('return event.input', { event })).toMatchObject({ value: { kind: 'hl7', value } });
    expect(await runBody('return event.input.buildAck()', { event })).toMatchObject({
      value: { kind: 'hl7', value: expect.stringContaining('MSA|AA|77|OK') },
    });
    const source = `import { Hl7Message } from '@medplum/core';
      export const handler = (m: any, e: any) => e.input instanceof Hl7Message && Hl7Message.parse(String(e.input))`;
    expect(await run(source, { event })).toMatchObject({ value: { kind: 'hl7', value } });
  });
});

describe('errors', () => {
  it('carry the message, and a stack in lines of the source', async () => {
    const result = await run(
      '// one\nfunction inner(x: number): void {\n  throw new TypeError("bad " + x);\n}\nexport const handler = async () => inner(5);',
    );
    expect(result).toMatchObject({
      ok: false,
      reason: 'threw',
      message: 'bad 5',
      stack: expect.stringContaining('index.ts:3:9'),
    });
    expect(result).toMatchObject({ stack: expect.not.stringContaining('sandbox.js') });
  });

  it.each([
    ['a string', 'throw "plain"', 'plain'],
    ['an object', 'throw { a: 1 }', '{"a":1}'],
    ['undefined', 'throw undefined', 'undefined'],
    ['a symbol', 'throw Symbol("x")', 'Symbol(x)'],
    [
      'what cannot be read',
      'throw { get outcome() { throw 1 }, toJSON() { throw 2 } }',
      'The bot threw a value that cannot be read',
    ],
  ])('from %s', async (_, body, message) =>
    expect(await runBody(body)).toMatchObject({ ok: false, reason: 'threw', message }),
  );

  it('carry a thrown OperationOutcome, bare or in its error', async () => {
    const outcome = {
      resourceType: 'OperationOutcome',
      id: 'not-found',
      issue: [{ severity: 'error', code: 'not-found', details: { text: 'Gone fishing' } }],
    };
    const bare = await runBody(`throw ${JSON.stringify(outcome)}`);
    expect(bare).toMatchObject({ ok: false, reason: 'threw', message: 'Gone fishing', outcome });
    const source = `import { OperationOutcomeError, badRequest } from '@medplum/core';
      export const handler = () => { throw new OperationOutcomeError(badRequest('No', 'Patient.name')) }`;
    expect(await run(source)).toMatchObject({
      outcome: { issue: [{ code: 'invalid', details: { text: 'No' }, expression: ['Patient.name'] }] },
    });
  });

  it('at load, and without a handler', async () => {
    expect(await run('throw new Error("early"); export const handler = 1;')).toMatchObject({
      reason: 'load-error',
      message: 'early',
    });
    expect(await run('export const handler = 1;')).toMatchObject({ reason: 'no-handler' });
    expect(await run('exports.handle = () => 1')).toMatchObject({ reason: 'no-handler' });
    expect(await run('module.exports = null')).toMatchObject({ reason: 'no-handler' });
    expect(await run('const x = "f" + "s"; require(x); exports.handler = 1')).toMatchObject({ reason: 'load-error' });
  });

  it('in a bundle that is no script', async () => {
    const job = await jobOf(handlerOf(''));
    for (const code of ['return (', '}); while (true); (function () {']) {
      const result = await supervisor.run({ ...job, code, versionKey: code });
      expect(result).toMatchObject({ ok: false, reason: 'load-error' });
    }
  });

  it('from a timer, and from a promise that nobody waits for', async () => {
    const late = await runBody('setTimeout(() => { throw new Error("late") }, 1); await new Promise(() => {})');
    expect(late).toMatchObject({ ok: false, reason: 'threw', message: 'late' });
    const lost = await runBody(
      'Promise.reject(new Error("lost")); await new Promise((done) => setTimeout(done, 5)); return 1',
    );
    expect(lost).toMatchObject({ ok: true, logs: [{ level: 'error', text: expect.stringContaining('lost') }] });
  });
});

describe('logs', () => {
  it('keep level and order', async () => {
    const body =
      'console.log("a", 1, { b: [2] }); console.warn(null); console.error(new Error("e").message); console.debug(5n); console.info()';
    const result = await runBody(body);
    expect(result.logs.map(({ level, text }) => `${level}:${text}`)).toEqual([
      'log:a 1 {"b":[2]}',
      'warn:null',
      'error:e',
      'debug:5n',
      'info:',
    ]);
  });

  it('tell where in the source an error was made', async () => {
    const { logs } = await runBody('console.log("before");\nconsole.error(new Error("shown"), [new Error("inner")]);');
    expect(logs[1]!.text).toMatch(/^Error: shown\n {4}at handler \(index\.ts:3:\d+\) \[\n/);
    expect(logs[1]!.text).toContain('at handler (index.ts:3:');
    expect(logs[1]!.text).not.toMatch(/sandbox\.js|bot\.js/);
  });

  it.each([
    ['one line', 'console.log("é".repeat(1e6))'],
    ['many lines', 'for (let i = 0; i < 1e5; i += 1) console.log("line " + i)'],
  ])('stop at 64 KiB with a marker: %s', async (_, body) => {
    const { ok, logs } = await runBody(`${body}; return 1`);
    const bytes = logs.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(ok).toBe(true);
    expect(bytes).toBeLessThan(64 * 1024 + 100);
    expect(logs.at(-1)?.text).toMatch(/log cut at 64 KiB/);
  });

  it('survive a timeout', async () => {
    const result = await runBody('console.log("before"); while (true);', { timeoutMs: 200 });
    expect(result).toMatchObject({ ok: false, reason: 'timeout', logs: [{ text: 'before' }] });
  });
});
