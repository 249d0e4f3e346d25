import { afterAll, beforeAll, expect, test } from 'vitest';
import { flushRuns } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { watchTurns } from '#lib/testing/longest-turn.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

/** What a client does with the dearest answer, in one turn: nothing of ours may take much longer, however slow the machine is. */
const TIMES = 3;
const DEAREST = JSON.stringify(Object.fromEntries(Array.from({ length: 3e5 }, (_, i) => [`k${i}`, i])));

let world: World;
let other: World;
let patient: string;

/** In milliseconds, of the moment: what else the machine does, it does to both. */
function oneAnswer(): number {
  const turns = watchTurns();
  JSON.parse(DEAREST);
  return turns();
}

beforeAll(async () => {
  [world, other] = await Promise.all([createWorld(), createWorld()]);
  const body = { resourceType: 'Patient' };
  patient = (await callApi(other.owner.bearer, 'POST', '/fhir/R4/Patient', { body })).body.id;
});
afterAll(async () => {
  await flushRuns();
  await stopRunner();
});

const json = (value: unknown) => ['application/json', JSON.stringify(value)] as const;
const hl7 = (segments: string[]) =>
  ['x-application/hl7-v2+er7', ['MSH|^~\\&|A|B|C|D|20260101||ADT^A01|7|P|2.5', ...segments].join('\r')] as const;
const NOTHING = json({});
const numbered = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, i) => make(i));

/** How it ends: 400 with why, or an answer, where all that it does is cut or refused to it. */
test.each<[string, number, string, (readonly [type: string, body: string])?]>([
  ['an endless loop', 400, 'for (;;);'],
  ['an endless loop after an await', 400, 'await null; for (;;);'],
  ['memory', 400, 'const a: any[] = []; for (;;) a.push(new Array(1e5).fill(a));'],
  ['a string that doubles', 400, 'let s = "x"; for (;;) s += s;'],
  ['recursion', 400, 'const f = (n: number): any => f(n + 1) + 1; return f(0);'],
  ['a regular expression', 400, 'return /^(a|a|b?a)*$/.test("a".repeat(60) + "!");'],
  ['promises', 400, 'const f = (): any => Promise.resolve().then(f); await f();'],
  ['rejections', 400, 'for (let i = 0; i < 1e6; i += 1) Promise.reject(new Error("x")); await new Promise(() => {});'],
  ['timers', 400, 'const t = () => { setTimeout(t, 0); setTimeout(t, 0); }; t(); await new Promise(() => {});'],
  ['lines', 200, 'for (let i = 0; i < 1e5; i += 1) console.log(i); return 1;'],
  ['long lines', 200, 'for (let i = 0; i < 1e3; i += 1) console.log("\\0".repeat(1e5)); return 1;'],
  ['an answer that is too large', 400, 'return "x".repeat(7e6);'],
  ['an answer of three million numbers', 200, 'return Array(3_100_000).fill(1);'],
  ['an answer of lists', 200, 'return Array(1_500_000).fill([]);'],
  ['an answer of names', 200, 'const o: any = {}; for (let i = 0; i < 3e5; i += 1) o["k" + i] = i; return o;'],
  ['an answer that is JSON in a string', 200, 'return "[" + "1,".repeat(3e6) + "1]";'],
  ['an answer that is deep', 400, 'let a: any = []; for (let i = 0; i < 5000; i += 1) a = [a]; return a;'],
  ['an answer that makes more of itself', 400, 'const f = (): any => ({ toJSON: () => [f(), f()] }); return f();'],
  [
    'an outcome',
    400,
    'return { resourceType: "OperationOutcome", issue: Array(5000).fill({ severity: "error", code: "x" }) };',
  ],
  ['a message', 400, 'throw new Error("1 ".repeat(1e6));'],
  ['calls', 400, 'await Promise.all(Array.from({ length: 1e4 }, () => medplum.readResource("Patient", "x")));'],
  [
    'calls that wait',
    400,
    'for (;;) await Promise.allSettled(Array.from({ length: 5e3 }, () => medplum.readResource("Patient", "x")));',
  ],
  ['calls, one after the other', 400, 'for (;;) await medplum.readResource("Patient", "x").catch(() => 0);'],
  ['a call of many values', 400, 'await medplum.createResource({ resourceType: "Basic", a: Array(99_000).fill(1) });'],
  ['a call of controls', 400, 'await medplum.createResource({ resourceType: "Basic", a: "\\u0001".repeat(900_000) });'],
  [
    'a batch',
    422,
    'await medplum.executeBatch({ resourceType: "Bundle", type: "batch", entry: Array(30_000).fill({ request: { method: "GET", url: "x" } }) });',
  ],
  [
    'requests',
    400,
    'for (;;) await Promise.all(Array.from({ length: 99 }, () => fetch("https://127.0.0.1", { method: "POST", body: "x".repeat(1e5) }).catch(() => 0)));',
  ],
  ['an input of 40,000 names', 200, 'return 1;', json(Object.fromEntries(numbered(40_000, (i) => [`n${i}`, 1])))],
  ['an input of 240,000 numbers', 200, 'return 1;', json(numbered(240_000, () => 1))],
  [
    'an input that is masked everywhere',
    400,
    'throw new Error("a ".repeat(8000));',
    json({ family: numbered(990, (i) => `a ${i}`), said: 'a '.repeat(110_000) }),
  ],
  [
    'an input of people, and a failure',
    400,
    'throw new Error("x");',
    json({ family: numbered(40_000, (i) => `n${i}`) }),
  ],
  [
    'a message that is masked everywhere',
    400,
    'throw new Error("a ".repeat(8000));',
    hl7([...numbered(20_000, (i) => `Z|a ${i}`), `NTE|${'a '.repeat(20_000)}`]),
  ],
])(
  'beside a bomb of %s others are answered, and it ends clearly',
  async (_, status, code, [type, body] = NOTHING) => {
    const handler = `export async function handler(medplum: any, event: any) { ${code} }`;
    const bot = await deployedBot(world, handler, { timeout: status === 400 ? 1 : 120 });
    // It stands in the answers above, so that these are looked through.
    await world.call('PUT', `/bots/${bot}/secrets/KEY`, { body: { valueString: '1,1,1,1,1,' } });
    const before = oneAnswer();
    const turns = watchTurns();
    let isOver = false;
    const running = callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, {
      ...{ body, headers: { 'content-type': type } },
    });
    const ended = running.then(flushRuns).finally(() => {
      isOver = true;
    });
    const answers: number[] = [];
    while (!isOver) {
      answers.push((await callApi(other.owner.bearer, 'GET', `/fhir/R4/Patient/${patient}`)).status);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    const longest = turns();
    expect(longest).toBeLessThan(TIMES * Math.max(before, oneAnswer()));
    expect(new Set(answers)).toEqual(new Set([200]));
    const answer = await running;
    expect(answer.status, answer.text.slice(0, 200)).toBe(status);
    if (status !== 200) expect(answer.text).toMatch(/"severity":"(?:error|fatal)"/);
  },
  120_000,
);
