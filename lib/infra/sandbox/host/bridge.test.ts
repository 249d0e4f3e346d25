import { afterAll, describe, expect, it } from 'vitest';
import { AppError, notFound } from '#lib/base/errors.ts';
import { BRIDGE_METHODS } from './limits.ts';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 2 });
afterAll(() => supervisor.close());

const run = async (source: string, changes?: Partial<RunJob>) =>
  readable(await supervisor.run(await jobOf(source, changes)));
const runBody = (body: string, changes?: Partial<RunJob>) => run(handlerOf(body), changes);

describe('medplum', () => {
  it('has these methods, each one call with its arguments by copy', async () => {
    const calls: [string, ...unknown[]][] = [];
    const call = async (method: string, args: unknown[]) => void calls.push([method, ...args]);
    const body =
      'const given = { resourceType: "Patient", id: "1", reference: "Patient/1" }; for (const name of Object.keys(medplum)) await medplum[name](given, name === "readResource" ? "1" : undefined); return Object.keys(medplum)';
    const direct = BRIDGE_METHODS.filter((name) => name !== 'api' && name !== 'library');
    expect(await runBody(body, { call })).toMatchObject({ value: { value: direct } });
    const given = { resourceType: 'Patient', id: '1', reference: 'Patient/1' };
    const asked = (name: string) => (name === 'readResource' ? [given, '1'] : [given]);
    expect(calls.map(([name, ...args]) => [name, args.filter((arg) => arg !== null)])).toEqual(
      direct.map((name) => [name, asked(name)]),
    );
  });

  it('answers with a copy, with nothing for nothing, and takes URLSearchParams', async () => {
    const call = async (_: string, args: unknown[]) => (args.length === 0 ? undefined : { got: args });
    const body =
      'return [await medplum.search(), await medplum.search("Patient", new URLSearchParams({ name: "a b" }))]';
    expect(await runBody(body, { call })).toMatchObject({ value: { value: [null, { got: ['Patient', 'name=a+b'] }] } });
  });

  it('rejects with the outcome, which a bot can catch or let through', async () => {
    const call = async () => Promise.reject(notFound());
    const outcome = {
      resourceType: 'OperationOutcome',
      id: 'not-found',
      issue: [{ severity: 'error', code: 'not-found', details: { text: 'Not found' } }],
    };
    const body = 'await medplum.readResource("Patient", "1")';
    expect(await runBody(body, { call })).toMatchObject({ ok: false, reason: 'threw', message: 'Not found', outcome });
    const source = `import { OperationOutcomeError } from '@medplum/core';
      export async function handler(medplum: any) {
        try { ${body} } catch (error: any) { return [error instanceof OperationOutcomeError, error instanceof Error, error.outcome.id]; }
      }`;
    expect(await run(source, { call })).toMatchObject({ value: { value: [true, true, 'not-found'] } });
  });

  it('names the field of an AppError, keeps its outcome, and says nothing of an unknown error', async () => {
    const body = `await medplum.createResource({ resourceType: 'Patient' })`;
    const named = new AppError('invalid', 'Bad', { expression: 'Patient.name' });
    expect(await runBody(body, { call: () => Promise.reject(named) })).toMatchObject({
      outcome: { issue: [{ expression: ['Patient.name'] }] },
    });
    const outcome = { resourceType: 'OperationOutcome', issue: [{ severity: 'error', code: 'conflict' }] };
    expect(
      await runBody(body, { call: () => Promise.reject(new AppError('conflict', 'x', { outcome })) }),
    ).toMatchObject({ outcome });
    const secret = await runBody(body, { call: () => Promise.reject(new Error('password=hunter2')) });
    expect(secret).toMatchObject({ ok: false, message: 'Internal error' });
    expect(JSON.stringify(secret)).not.toContain('hunter2');
  });

  it('limits the size of a call and the number at once', async () => {
    expect(await runBody('await medplum.createResource({ resourceType: "x".repeat(7e6) })')).toMatchObject({
      reason: 'threw',
      message: expect.stringContaining('6 MiB'),
    });
    const body = 'await Promise.all(Array.from({ length: 6000 }, () => medplum.search("Patient")))';
    expect(await runBody(body, { call: () => new Promise(() => {}) })).toMatchObject({
      reason: 'threw',
      message: expect.stringContaining('5000 calls wait'),
    });
    expect(await runBody('await medplum.createResource({ resourceType: "Patient", a: 1n })')).toMatchObject({
      ok: false,
      reason: 'threw',
    });
  });
});

describe('the Web functions', () => {
  it.each([
    [
      'URL',
      'const u = new URL("../b?x=1#h", "https://u:p@é.example:8443/a/c"); u.searchParams.append("y", "a b&"); u.port = ""; return [u.href, u.hostname, u.origin, String(u), JSON.stringify({ u }), URL.canParse("nope")]',
      [
        'https://u:p@xn--9ca.example/b?x=1&y=a+b%26#h',
        'xn--9ca.example',
        'https://xn--9ca.example',
        'https://u:p@xn--9ca.example/b?x=1&y=a+b%26#h',
        '{"u":"https://u:p@xn--9ca.example/b?x=1&y=a+b%26#h"}',
        false,
      ],
    ],
    [
      'URLSearchParams',
      'const q = new URLSearchParams("?a=1&a=2&b=%C3%A9+x&c"); q.set("a", "3"); q.delete("c"); return [[...q], q.get("b"), q.get("z"), String(q), q.size]',
      [
        [
          ['a', '3'],
          ['b', 'é x'],
        ],
        'é x',
        null,
        'a=3&b=%C3%A9+x',
        2,
      ],
    ],
    [
      'text',
      'const b = new TextEncoder().encode("hé"); return [Array.from(b), new TextDecoder().decode(b), new TextDecoder("latin1").decode(b.subarray(1)), new TextDecoder().encoding]',
      [[104, 195, 169], 'hé', 'Ã©', 'utf-8'],
    ],
    ['base64', 'return [btoa("hi"), atob("aGk=")]', ['aGk=', 'hi']],
    [
      'structuredClone',
      'const a = { d: new Date(0), m: new Map([[1, new Set([2])]]), b: new Uint8Array([1, 2]) }; a.self = a; const c = structuredClone(a); return [c !== a, c.self === c, c.d.getTime(), [...c.m.get(1)], Array.from(c.b)]',
      [true, true, 0, [2], [1, 2]],
    ],
    [
      'structuredClone of errors, holes and what hides',
      'const e = structuredClone(new TypeError("no")); const [v] = structuredClone([new DataView(new ArrayBuffer(2))]); const o = structuredClone(JSON.parse(\'{"__proto__":{"a":1}}\')); return [e instanceof TypeError, e.name, e.message, structuredClone([new RangeError("far")])[0] instanceof RangeError, Object.is(structuredClone(-0), -0), structuredClone(7n) === 7n, v.byteLength, Object.keys(o), o.a === undefined]',
      [true, 'TypeError', 'no', true, true, true, 2, ['__proto__'], true],
    ],
    [
      'crypto',
      'const a = crypto.getRandomValues(new Uint32Array(64)); return [/^[0-9a-f-]{36}$/.test(crypto.randomUUID()), a.some(Boolean), crypto.randomUUID() === crypto.randomUUID()]',
      [true, true, false],
    ],
    [
      'timers',
      'const t = setTimeout(() => { throw 1 }, 1); clearTimeout(t); const got = []; await new Promise((done) => { setTimeout((x) => { got.push(x); done() }, 5, "b"); queueMicrotask(() => got.push("a")) }); return got',
      ['a', 'b'],
    ],
  ])('%s', async (_, body, value) => expect(await runBody(body)).toMatchObject({ ok: true, value: { value } }));

  it.each([
    'new URL("nope")',
    'atob("é")',
    'new TextDecoder("klingon")',
    'new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([255]))',
    'structuredClone(() => 1)',
  ])('throw what a bot can catch: %s', async (expression) =>
    expect(await runBody(`try { ${expression} } catch (e) { return e instanceof Error }`)).toMatchObject({
      value: { value: true },
    }),
  );

  it('keep timers from piling up', async () => {
    expect(await runBody('for (;;) setTimeout(() => {}, 1e6)')).toMatchObject({
      reason: 'threw',
      message: expect.stringContaining('timers'),
    });
  });
});

describe('many at once', () => {
  it('50 runs, each with its own answer and calls', async () => {
    const job = await jobOf(
      handlerOf(
        'const a = await medplum.readResource("Patient", event.input.id); await new Promise((d) => setTimeout(d, 5)); return [a, event.input.id]',
      ),
    );
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, id) =>
        supervisor.run({
          ...job,
          event: { kind: 'json', text: JSON.stringify({ id: String(id) }) },
          call: async (_method, args) => `${id}:${args[1]}`,
        }),
      ),
    );
    expect(results.map((result) => result.ok && result.value)).toEqual(
      results.map((_, id) => ({ kind: 'json', text: JSON.stringify([`${id}:${id}`, String(id)]) })),
    );
  });
});
