import { afterAll, expect, test } from 'vitest';
import { handlerOf, jobOf, readable } from './run-job.fixture.ts';
import { createSupervisor } from './supervisor.ts';

const supervisor = createSupervisor({ processes: 1 });
afterAll(() => supervisor.close());

const ENDLESS = `const body = new Readable({ read() { setTimeout(() => this.push(Buffer.alloc(262144)), 1); } });`;

async function run(code: string) {
  const source = `import { Readable } from 'stream';\nimport send from 'node-fetch';\n${handlerOf(`${ENDLESS}\n${code}`)}`;
  return readable(await supervisor.run(await jobOf(source, { timeoutMs: 20_000 })));
}

test('a body that never ends is too large', async () => {
  const code = `try { await fetch('https://x.test/', { method: 'POST', body, duplex: 'half' }); } catch (error) { return [error.cause.code, body.destroyed]; }`;
  expect(await run(code)).toMatchObject({ ok: true, value: { value: ['TOO_LARGE', true] } });
});

test.each([
  `await fetch('https://x.test/', { method: 'POST', body, duplex: 'half', signal: AbortSignal.timeout(5) })`,
  `await send('https://x.test/', { method: 'POST', body, timeout: 5 })`,
])('nor is it read on when it is given up: %s', async (ask) => {
  const code = `let why; try { ${ask}; } catch (error) { why = error.name; }
    await new Promise((done) => setTimeout(done, 100)); const read = body.readableDidRead && body.destroyed; return [typeof why, read];`;
  expect(await run(code)).toMatchObject({ ok: true, value: { value: ['string', true] } });
});
