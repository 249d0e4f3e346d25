import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { pace } from '#lib/base/pace.ts';
import type { OperationOutcome } from '#lib/protocol/fhir/types.ts';
import { keptAlive } from './stream.ts';

const before = pace.streamBeatMs;
afterAll(() => {
  pace.streamBeatMs = before;
});

const explain = (error: unknown): OperationOutcome => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'throttled', details: { text: (error as Error).message } }],
});
const refuse = () => {
  throw new AppError('too-many-requests', 'Too many runs wait');
};

test('what a run is refused for at once is thrown, and later a frame of the stream that has begun', async () => {
  await expect(keptAlive(async () => refuse(), explain)).rejects.toThrow('Too many runs wait');
  pace.streamBeatMs = 10;
  const late = await keptAlive(async () => wait(60).then(refuse), explain);
  expect(late).toMatchObject({ status: 200, contentType: 'text/event-stream; charset=utf-8' });
  expect(await new Response(late.body).text()).toMatch(
    /^(?::\n\n)+data: \{"error":true,"message":"Too many runs wait"\}\n\n$/,
  );
});
