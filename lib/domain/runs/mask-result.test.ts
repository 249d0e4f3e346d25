import { expect, test } from 'vitest';
import { SANDBOX_LIMITS } from '#lib/infra/sandbox/host/limits.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { describeError } from '#lib/infra/sandbox/inside/describe-error.ts';
import { describeFailure } from '#lib/infra/sandbox/runner/describe-failure.ts';
import { createStackMap } from '#lib/infra/sandbox/runner/map-stack.ts';
import { createRunLog } from '#lib/infra/sandbox/runner/run-log.ts';
import { createMask } from '#lib/protocol/bots/secret-mask.ts';
import { maskResult } from './mask-result.ts';

const KEYS = ['sk_live_51HxQzT9wVbN3mKfR7yLpD2cA8jGe4uXoW6i', 'Pässwort-of-ours-😀-€-and-a-line\n-that-follows-it'];
/** Of a secret that was cut off, as much may be told. */
const MOST_TOLD = 7;

const EMPTY = { logs: [], calls: [], durationMs: 1 };

test.each(KEYS)('wherever the log is cut, nothing of a secret is told: %j', async (valueString) => {
  const mask = createMask([{ name: 'K', valueString }])!;
  const room = SANDBOX_LIMITS.logBytes - 2 * SANDBOX_LIMITS.logLineBytes - 'first'.length;
  for (let within = 0; within <= Buffer.byteLength(valueString) + 1; within += 1) {
    const logs: RunResult['logs'] = [];
    const write = createRunLog<'log'>((level, text) => logs.push({ level, text, ms: 0 }));
    for (const text of ['first', `${'.'.repeat(room - within)}${valueString} and more`, 'never']) write('log', text);
    const masked = await maskResult({ ...EMPTY, ok: true, value: { kind: 'string', text: '' }, logs }, mask);
    expect(masked.logs).toHaveLength(2);
    expect(masked.logs[1]!.text).toMatch(/… \(log cut at 64 KiB\)$/);
    expect(masked.logs[1]!.text).not.toContain(valueString.slice(0, MOST_TOLD + 1));
  }
});

test.each(KEYS)('wherever an error and its stack are cut, nothing of a secret is told: %j', async (valueString) => {
  const mask = createMask([{ name: 'K', valueString }])!;
  const head = 'Error: '.length;
  for (let within = -head; within <= valueString.length + head; within += 1) {
    const error = new Error(`${'.'.repeat(SANDBOX_LIMITS.errorCharacters - within)}${valueString} and more`);
    const { message, stack } = describeFailure(describeError(error), createStackMap(undefined));
    const failure: RunResult = { ...EMPTY, ok: false, reason: 'threw', message, stack };
    const masked = await maskResult(failure, mask);
    const { message: told, stack: lines } = masked as typeof failure & { ok: false };
    for (const text of [told, lines]) expect(text).not.toContain(valueString.slice(0, MOST_TOLD + 1));
    expect(told).toMatch(/…$/);
    expect(lines).toMatch(/…$/);
  }
});

test('nor where a stack is cut between its lines, or as it left its process', async () => {
  const key = KEYS[1]!;
  const mask = createMask([{ name: 'K', valueString: key }])!;
  const lines = `${'.\n'.repeat(SANDBOX_LIMITS.stackLines - 1)}${key}`;
  const long = `${'.'.repeat(SANDBOX_LIMITS.stackCharacters - 20)}${key}`;
  for (const stack of [lines, long].map(createStackMap(undefined).ofFailure)) {
    const masked = await maskResult({ ...EMPTY, ok: false, reason: 'threw', message: 'no', stack }, mask);
    expect(masked).toMatchObject({ stack: expect.stringMatching(/\[secret K\]$/) });
  }
});
